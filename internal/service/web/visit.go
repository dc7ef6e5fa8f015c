package web

import (
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"

	"github.com/govctl/govctl/internal/service/store"
)

// visit is one request of somebody who is logged in.
type visit struct {
	w       http.ResponseWriter
	r       *http.Request
	session *session
	who     store.Principal
}

// trouble is an error that is meant for the person in front of the page.
type trouble struct {
	status int
	text   string
}

func (t *trouble) Error() string { return t.text }

// inside runs a handler for people who are logged in and sends everybody else to the
// login. A form must carry the token of its session.
func (w *Web) inside(handle func(*visit) error) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		v, err := w.visit(rw, r)
		switch {
		case errors.Is(err, ErrRefused):
			w.dropCookie(rw, r)
			http.Redirect(rw, r, pathLogin+next(r), http.StatusSeeOther)
			return
		case err != nil:
			w.refuse(rw, r, nil, err)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			err = v.checkToken()
		}
		if err == nil {
			err = handle(v)
		}
		if err != nil {
			w.refuse(rw, r, v, err)
		}
	}
}

func (w *Web) visit(rw http.ResponseWriter, r *http.Request) (*visit, error) {
	s, err := w.sessions.find(sessionID(r), w.o.Now())
	if err != nil {
		return nil, err
	}
	who, err := s.pass.Again(r.Context())
	if errors.Is(err, ErrRefused) {
		w.sessions.end(sessionID(r))
	}
	return &visit{w: rw, r: r, session: s, who: who}, err
}

// checkToken compares the token of a form with that of the session.
func (v *visit) checkToken() error {
	if err := v.r.ParseForm(); err != nil {
		return &trouble{http.StatusBadRequest, "The form could not be read."}
	}
	if subtle.ConstantTimeCompare([]byte(v.r.PostForm.Get("csrf")), []byte(v.session.csrf)) != 1 {
		return &trouble{http.StatusForbidden, "This form is out of date. Go back, reload the page and try again."}
	}
	return nil
}

// next is the query that brings somebody back after the login; only pages that can be
// asked for with GET are remembered.
func next(r *http.Request) string {
	if r.Method != http.MethodGet || r.URL.Path == pathKeys || r.URL.Path == pathLogout {
		return ""
	}
	return "?next=" + url.QueryEscape(r.URL.Path)
}

// redirect sends the browser on after a form, so that reloading does not send it twice.
func (v *visit) redirect(to string) error {
	http.Redirect(v.w, v.r, to, http.StatusSeeOther)
	return nil
}

// refuse shows what went wrong. What is not meant for people is logged and stays inside.
func (w *Web) refuse(rw http.ResponseWriter, r *http.Request, v *visit, err error) {
	var t *trouble
	if !errors.As(err, &t) {
		if r.Context().Err() == nil {
			w.o.Logger.Error("page failed", "path", r.URL.Path, "error", err)
		}
		t = &trouble{http.StatusInternalServerError, "Something broke inside the service. Its log says what."}
	}
	w.show(rw, r, v, t.status, "message", page{Title: http.StatusText(t.status), Body: t.text})
}
