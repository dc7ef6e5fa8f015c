package servicetest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"

	"github.com/govctl/govctl/internal/api"
)

func (g *generator) path(template string, op *operation) string {
	parts := strings.Split(template, "/")
	for i, p := range parts {
		if !strings.HasPrefix(p, "{") {
			continue
		}
		known := map[string]string{
			"{sessionId}": "ses_0" + strconv.Itoa(10+g.IntN(50)), "{computerId}": pick(g, "cmp_0", "cmp_1") + strconv.Itoa(g.IntN(10)),
			"{name}": pick(g, "build-01", "gpu-02", "sandbox-03"), "{messageId}": g.messageID(),
		}[p]
		if p == "{messageId}" && !g.one(4) {
			parts[i-2] = "ses_001"
		}
		if g.one(5) {
			known = g.text()
		}
		parts[i] = escape(known)
	}
	return strings.Join(parts, "/")
}

// messageID is that of a message of ses_001.
func (g *generator) messageID() string {
	r := httptest.NewRequest(http.MethodGet, api.PathSessions+"/ses_001/messages?limit=1", nil)
	r.Header.Set("Authorization", "Bearer "+g.s.Keys.Owner)
	w := httptest.NewRecorder()
	g.s.Service.ServeHTTP(w, r)
	var page api.MessagesPage
	if json.Unmarshal(w.Body.Bytes(), &page) != nil || len(page.Messages) == 0 {
		return "msg_001"
	}
	return page.Messages[0].ID
}

func (g *generator) query(op *operation) string {
	var parts []string
	add := func(name, value string) { parts = append(parts, name+"="+url.QueryEscape(value)) }
	first, last := g.window()
	for _, p := range op.Parameters {
		if p.In != "query" || !p.Required && g.one(2) {
			continue
		}
		value := g.parameter(p)
		switch p.Name {
		case "startDate":
			value = first
		case "endDate":
			value = last
		}
		switch g.IntN(25) {
		case 0:
			continue
		case 1:
			value = g.text()
			g.fine = g.fine && p.Name != "cursor" && p.Name != "startAfter" && !strings.HasSuffix(p.Name, "Date")
		case 2:
			add(p.Name, value)
		}
		add(p.Name, value)
	}
	if g.one(10) {
		add("x", g.text())
	}
	g.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	if g.one(50) {
		parts, g.fine = append(parts, "%zz"), false
	}
	return strings.Join(parts, "&")
}

// window is one that has data, mostly.
func (g *generator) window() (first, last string) {
	yesterday := g.s.Now().UTC().AddDate(0, 0, -1)
	from := yesterday.AddDate(0, 0, -g.IntN(300))
	to := from.AddDate(0, 0, g.IntN(10))
	if g.one(10) {
		from, to = from.AddDate(0, 0, 5-g.IntN(400)), from.AddDate(0, 0, 5-g.IntN(400))
	}
	first, last = from.Format(api.DateLayout), to.Format(api.DateLayout)
	g.fine = g.fine && first <= last && first >= api.EarliestDate && last <= yesterday.Format(api.DateLayout)
	return first, last
}

func (g *generator) parameter(p *parameter) string {
	switch p.Name {
	case "cursor", "startAfter":
		if g.one(3) {
			g.fine = false
			return g.text()
		}
		return ""
	case "computerId":
		return pick(g, "", "cmp_02", "cmp_03", g.text())
	}
	if text, ok := g.value(p.Schema).(string); ok {
		return text
	}
	return strconv.Itoa(1 + g.IntN(100))
}
