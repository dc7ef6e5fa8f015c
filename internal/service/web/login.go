package web

import (
	"errors"
	"net/http"
	"strings"
)

// loginBody is what the login page shows.
type loginBody struct {
	Problem string
	Next    string
}

func (w *Web) showLogin(rw http.ResponseWriter, r *http.Request) {
	if _, err := w.visit(rw, r); err == nil {
		http.Redirect(rw, r, pathKeys, http.StatusSeeOther)
		return
	}
	w.show(rw, r, nil, http.StatusOK, "login", page{Title: "Log in", Body: loginBody{Next: safeNext(r.URL.Query().Get("next"))}})
}

// logIn opens a session for the holder of a key. The session is always a new one.
func (w *Web) logIn(rw http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		w.refuse(rw, r, nil, &trouble{http.StatusBadRequest, "The form could not be read."})
		return
	}
	to := safeNext(r.PostForm.Get("next"))
	key := strings.TrimSpace(r.PostForm.Get("key"))
	pass, err := w.o.Enter(r.Context(), key)
	switch {
	case errors.Is(err, ErrRefused):
		body := loginBody{Problem: "This key opens nothing: it is unknown, revoked or expired.", Next: to}
		w.show(rw, r, nil, http.StatusUnauthorized, "login", page{Title: "Log in", Body: body})
		return
	case err != nil:
		w.refuse(rw, r, nil, err)
		return
	}
	w.sessions.end(sessionID(r))
	w.setCookie(rw, r, w.sessions.begin(pass, w.o.Now()))
	http.Redirect(rw, r, to, http.StatusSeeOther)
}

// safeNext is where the login leads: a page of ours and nothing else.
func safeNext(path string) string {
	plain := !strings.ContainsAny(path, "\\?#%") && !strings.Contains(path, "//") && !strings.Contains(path, "..")
	if plain && strings.HasPrefix(path, "/") && owned(path) && path != pathLogin {
		return path
	}
	return pathKeys
}

func (w *Web) logOut(v *visit) error {
	w.sessions.end(sessionID(v.r))
	w.dropCookie(v.w, v.r)
	return v.redirect(pathLogin)
}
