package sample

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/govctl/govctl/internal/service/store"
)

// Members is how many active members the sample organization has.
const Members = 250

// fixed are the members that examples name; the sixth to the tenth are contractors, the
// tenth a guest.
func fixed() []store.User {
	return []store.User{
		{Email: "ada@acme.example", FirstName: "Ada", LastName: "Lovelace", Role: store.Owner, Metadata: team("platform")},
		{Email: "grace@acme.example", FirstName: "Grace", LastName: "Hopper", Role: store.Manager, Metadata: team("ml")},
		{Email: "linus@acme.example", FirstName: "Linus", LastName: "Pauling", Metadata: team("platform")},
		{Email: "Katherine.Johnson@acme.example", FirstName: "Katherine", LastName: "Johnson", Metadata: team("data")},
		{Email: "barbara@acme.example", FirstName: "Barbara", LastName: "McClintock", Metadata: team("web")},
		{Email: "amelie.blanc@partner.example", FirstName: "Amélie", LastName: "Blanc", Metadata: team("partner")},
		{Email: "victor.hale@partner.example", FirstName: "Victor", LastName: "Hale", Metadata: team("partner")},
		{Email: "nadia.rahman@partner.example", FirstName: "Nadia", LastName: "Rahman", Metadata: team("partner")},
		{Email: "stig.ostberg@partner.example", FirstName: "Stig", LastName: "Östberg", Metadata: team("partner")},
		{Email: "paula.quist@partner.example", FirstName: "Paula", LastName: "Quist", Role: store.Guest, Metadata: team("partner")},
	}
}

func firstNames() []string {
	return strings.Fields(`Amara Noah Zoë José Aïsha Mei Søren Priya Łukasz Fatima
		Hiro Ingrid Mateus Chloé Dmitri Yuki Björn Leila Tomás Anneke
		Kwame Sofía Rajesh Eilidh Omar Renée Jürgen Thandiwe Minh Katarzyna
		Elif Pavel Nia Andrés Hana Olivier Siobhán Ravi Gül Emeka
		Freya Luís Ayumi Zuzana Tariq Märta Kofi Isabel Wei Oksana`)
}

func lastNames() []string {
	return strings.Fields(`Okafor Nguyễn Müller García Kowalski Svensson Tanaka Haddad Dubois Novák
		Silva Petrov Kim Yılmaz Fernández Larsen Patel Rossi Weber Sørensen
		Lindqvist Horváth Castro Ibrahim Chen Moreau Jansen Popescu Hernández Mwangi
		Sato Wójcik Ferreira Andersson Kaya Becker Sharma Costa Virtanen Reyes
		Osei Lefèvre Zhang Marković Brandt Nowak Desai Park Lindgren Adeyemi`)
}

// ascii spells a name for an address.
func ascii(name string) string {
	plain := strings.NewReplacer("á", "a", "ä", "a", "ć", "c", "è", "e", "é", "e", "ë", "e", "ễ", "e",
		"í", "i", "ï", "i", "ı", "i", "ł", "l", "Ł", "l", "ó", "o", "ö", "o", "ø", "o", "ü", "u")
	return strings.ToLower(plain.Replace(name))
}

// Users are the members, usr_001 to usr_250.
func Users() []store.User {
	users := fixed()
	first, last := firstNames(), lastNames()
	for i := 0; len(users) < Members; i++ {
		f, l := first[i%len(first)], last[(3*i+i/len(first))%len(last)]
		users = append(users, store.User{
			Email:     ascii(f) + "." + ascii(l) + "@acme.example",
			FirstName: f, LastName: l, Metadata: team(teamOf(i)),
		})
	}
	joined, seen := at("2026-01-05T08:00:00.000Z"), at("2026-11-17T17:00:00.000Z")
	for i := range users {
		u := &users[i]
		u.ID = fmt.Sprintf("usr_%03d", i+1)
		u.CreatedAt = joined.Add(time.Duration(i)*27*time.Hour + time.Duration(i*7919%60000)*time.Millisecond)
		u.LastSignInAt = seen.Add(-time.Duration(i*37%500)*time.Hour - time.Duration(i*104729%3600000)*time.Millisecond)
		if u.Role == "" {
			u.Role = store.Member
		}
	}
	return users
}

// teamOf spreads the other 240 members: 39 in ml (40 with grace), 12 in security.
func teamOf(i int) string {
	switch nth := i / 6; i % 6 {
	case 0:
		if nth == 39 {
			return "web"
		}
		return "ml"
	case 1:
		if nth < 12 {
			return "security"
		}
		return "platform"
	case 2:
		return "platform"
	case 3:
		return "web"
	case 4:
		return "data"
	}
	return "mobile"
}

// team is the metadata of a member of a team.
func team(name string) string {
	center := map[string]string{
		"platform": "cc-100", "ml": "cc-200", "web": "cc-300", "data": "cc-400",
		"mobile": "cc-500", "security": "cc-600", "partner": "cc-900",
	}
	text, err := json.Marshal(map[string]string{"team": name, "cost_center": center[name]})
	if err != nil {
		panic(err) // a map of strings
	}
	return string(text)
}
