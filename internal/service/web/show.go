package web

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/service/store"
)

//go:embed templates/*.html assets/*
var files embed.FS

// pages are the parsed templates by name.
type pages map[string]*template.Template

// page is what every page shows.
type page struct {
	Title        string
	Section      string // which entry of the menu is current
	Organization string
	Account      *account // nil: not logged in
	Flash        *flash
	Usage        bool // there is a usage page
	Body         any
}

// account is who is logged in.
type account struct {
	Name    string
	Role    store.Role
	Manages bool
	CSRF    string
}

func parsePages() (pages, error) {
	names, err := fs.Glob(files, "templates/*.html")
	if err != nil {
		return nil, err
	}
	all := pages{}
	for _, name := range names {
		short := strings.TrimSuffix(strings.TrimPrefix(name, "templates/"), ".html")
		t, err := template.New("layout.html").Funcs(functions()).ParseFS(files, "templates/layout.html", name)
		if err != nil {
			return nil, err
		}
		all[short] = t
	}
	return all, nil
}

func functions() template.FuncMap {
	return template.FuncMap{
		"clean":   clean,
		"day":     func(t time.Time) string { return t.UTC().Format("2006-01-02") },
		"minute":  func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") },
		"iso":     func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"number":  func(f float64) string { return grouped(f) },
		"percent": percent,
		"parts":   func(s string) []string { return strings.SplitAfter(clean(s), "/") },
		"commit":  func(hash *string) string { return clean((*hash)[:min(len(*hash), 12)]) },
	}
}

// show answers with one complete page.
func (w *Web) show(rw http.ResponseWriter, r *http.Request, v *visit, status int, name string, p page) {
	p.Usage = w.o.Usage != nil
	if err := w.complete(r, v, &p); err != nil {
		w.o.Logger.Error("page failed", "page", name, "error", err)
	}
	var text bytes.Buffer
	if err := w.pages[name].Execute(&text, p); err != nil {
		w.o.Logger.Error("page failed", "page", name, "error", err)
		http.Error(rw, "Something broke inside the service. Its log says what.", http.StatusInternalServerError)
		return
	}
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	rw.Header().Set("Content-Length", strconv.Itoa(text.Len()))
	rw.WriteHeader(status)
	if r.Method == http.MethodHead {
		return
	}
	if _, err := rw.Write(text.Bytes()); err != nil {
		w.o.Logger.Debug("send page", "error", err)
	}
}

// complete adds who is looking at the page and whose organization it is about.
func (w *Web) complete(r *http.Request, v *visit, p *page) error {
	if v == nil {
		return nil
	}
	p.Account = &account{Name: v.who.Key, Role: v.who.Role, Manages: v.who.Role.Manages(), CSRF: v.session.csrf}
	p.Flash = v.session.said()
	o, err := w.o.Store.Organization(r.Context())
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	p.Organization = o.Name
	if v.who.UserID == "" {
		return nil
	}
	u, err := w.o.Store.User(r.Context(), v.who.UserID)
	if err != nil {
		return err
	}
	p.Account.Name = u.Email
	return nil
}

// asset answers with an embedded file: the style sheet or the icon.
func (w *Web) asset(rw http.ResponseWriter, r *http.Request) {
	text, err := files.ReadFile("assets/" + r.PathValue("name"))
	if err != nil {
		w.refuse(rw, r, nil, &trouble{http.StatusNotFound, "There is no such file."})
		return
	}
	kind := "text/css; charset=utf-8"
	if strings.HasSuffix(r.PathValue("name"), ".svg") {
		kind = "image/svg+xml"
	}
	rw.Header().Set("Content-Type", kind)
	rw.Header().Set("Cache-Control", "public, max-age=300")
	_, _ = rw.Write(text) // a browser that is gone needs none
}

// maxShown is how much of a foreign text a page shows, in runes.
const maxShown = 400

// clean makes foreign text harmless to its reader: secrets in addresses are redacted,
// and what neutral replaces is replaced. What HTML means is escaped by the template.
func clean(s string) string { return neutral(org.RedactURL(s)) }

// neutral replaces control, bidirectional and invisible characters, and cuts what is too
// long to be read.
func neutral(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) {
			return utf8.RuneError
		}
		return r
	}, s)
	if utf8.RuneCountInString(s) > maxShown {
		s = string([]rune(s)[:maxShown]) + "…"
	}
	return s
}

// grouped writes a number without fraction, its digits in groups of three.
func grouped(f float64) string {
	s := fmt.Sprintf("%.0f", f)
	digits := strings.TrimPrefix(s, "-")
	var b strings.Builder
	for i, c := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteRune('\u202f') // narrow space that does not break
		}
		b.WriteRune(c)
	}
	return strings.TrimSuffix(s, digits) + b.String()
}
