package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/govctl/govctl/internal/service/store"
)

const (
	maxKeys    = 500 // shown on the page, newest first
	maxKeyName = 100 // characters
)

// keysBody is what the page of API keys shows.
type keysBody struct {
	Keys       []keyRow
	More       bool // older keys exist
	MayCreate  bool
	WhyNot     string // when MayCreate is false
	Roles      []store.Role
	OwnAccount bool // the key may be for the person who asks
	Accounts   bool // the key may be for a service account
	Lifetimes  []lifetime
}

// keyRow is one key as the page shows it.
type keyRow struct {
	store.HeldKey
	Active bool
	State  string
	Since  time.Time // of the state; zero when it says nothing
	Mine   bool      // this session was opened with it
	May    bool      // revoke it
}

type lifetime struct {
	Days int
	Text string
}

func lifetimes() []lifetime {
	return []lifetime{{30, "30 days"}, {90, "90 days"}, {365, "1 year"}, {0, "no expiry"}}
}

// rolesWithin returns the roles a key may have that is made by somebody with role r.
func rolesWithin(r store.Role) []store.Role {
	all := []store.Role{store.Owner, store.Manager, store.Member, store.Guest}
	return slices.DeleteFunc(all, func(one store.Role) bool { return one.Within(r) != one })
}

func (w *Web) showKeys(v *visit) error {
	body, err := w.keysBody(v)
	if err != nil {
		return err
	}
	w.show(v.w, v.r, v, http.StatusOK, "keys", page{Title: "API keys", Section: "keys", Body: body})
	return nil
}

func (w *Web) keysBody(v *visit) (keysBody, error) {
	keys, err := w.visibleKeys(v)
	if err != nil {
		return keysBody{}, err
	}
	b := keysBody{
		Roles: rolesWithin(v.who.Role), Lifetimes: lifetimes(),
		OwnAccount: v.who.UserID != "", Accounts: v.who.Role.Manages(),
	}
	if len(keys) > maxKeys {
		keys, b.More = keys[:maxKeys], true
	}
	now := w.o.Now()
	for _, k := range keys {
		b.Keys = append(b.Keys, describe(k, v.who, now))
	}
	b.WhyNot, err = w.whyNot(v)
	b.MayCreate = b.WhyNot == ""
	return b, err
}

// visibleKeys are all keys for managers, and their own for everybody else.
func (w *Web) visibleKeys(v *visit) ([]store.HeldKey, error) {
	switch {
	case v.who.Role.Manages():
		return w.o.Store.HeldKeys(v.r.Context(), "", maxKeys+1)
	case v.who.UserID != "":
		return w.o.Store.HeldKeys(v.r.Context(), v.who.UserID, maxKeys+1)
	}
	k, err := w.o.Store.KeyByPrefix(v.r.Context(), v.who.Key)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil // logged in with a token
	}
	return []store.HeldKey{{Key: k}}, err
}

func describe(k store.HeldKey, who store.Principal, now time.Time) keyRow {
	row := keyRow{HeldKey: k, Mine: k.Prefix == who.Key, State: "active", Since: k.ExpiresAt}
	switch {
	case !k.RevokedAt.IsZero():
		row.State, row.Since = "revoked", k.RevokedAt
	case k.Former:
		row.State, row.Since = "member left", time.Time{}
	case !k.ExpiresAt.IsZero() && !k.ExpiresAt.After(now):
		row.State = "expired"
	default:
		row.Active, row.May = true, mayRevoke(k.Key, who)
	}
	return row
}

// mayRevoke: everybody their own keys, managers those of nobody stronger.
func mayRevoke(k store.Key, who store.Principal) bool {
	own := k.Prefix == who.Key || who.UserID != "" && k.UserID == who.UserID
	return own || who.Role.Manages() && k.Role.Within(who.Role) == k.Role
}

// whyNot says why somebody may not make keys, "" if they may. What counts is the role of
// the session, which may be less than that of the member.
func (w *Web) whyNot(v *visit) (string, error) {
	if v.who.Role.Manages() {
		return "", nil
	}
	if v.who.Role == store.Guest || v.who.UserID == "" {
		return "Guests and service accounts cannot make API keys.", nil
	}
	newest, err := w.o.Store.Revisions(v.r.Context(), 0, 1)
	if err != nil || len(newest) == 0 {
		return "", err
	}
	var settings struct {
		Restricted any `json:"restrictApiKeyCreationToManagers"`
	}
	if err := json.Unmarshal([]byte(newest[0].Settings), &settings); err != nil {
		return "", err
	}
	if settings.Restricted == true {
		return "Your organization leaves making API keys to managers (restrictApiKeyCreationToManagers).", nil
	}
	return "", nil
}

func (w *Web) createKey(v *visit) error {
	why, err := w.whyNot(v)
	if err != nil {
		return err
	}
	if why != "" {
		return &trouble{http.StatusForbidden, why}
	}
	n, problem := w.wanted(v)
	if problem != "" {
		v.session.say(flash{Kind: "error", Text: problem})
		return v.redirect(pathKeys)
	}
	text, k, err := w.o.Store.CreateKey(v.r.Context(), n, w.o.Now())
	switch {
	case errors.Is(err, store.ErrRestricted):
		return &trouble{http.StatusForbidden, "You may not make API keys."}
	case err != nil:
		return err
	}
	v.session.say(flash{Kind: "key", Text: k.Name, Key: text})
	return v.redirect(pathKeys)
}

// wanted reads the form. A key never has more than the role of the session that makes it.
func (w *Web) wanted(v *visit) (n store.NewKey, problem string) {
	form := v.r.PostForm
	n = store.NewKey{Name: strings.TrimSpace(form.Get("name")), UserID: v.who.UserID, By: v.who.UserID, Role: store.Role(form.Get("role"))}
	if n.Name == "" || utf8.RuneCountInString(n.Name) > maxKeyName || clean(n.Name) != n.Name {
		return n, "A key needs a name of 1 to 100 readable characters."
	}
	if !slices.Contains(rolesWithin(v.who.Role), n.Role) {
		return n, "A key cannot have a stronger role than yours."
	}
	if form.Get("for") == "service" || v.who.UserID == "" {
		n.UserID = ""
	}
	if n.UserID == "" && !v.who.Role.Manages() {
		return n, "Only managers make keys for service accounts."
	}
	for _, l := range lifetimes() {
		if form.Get("days") == strconv.Itoa(l.Days) {
			if l.Days > 0 {
				n.ExpiresAt = w.o.Now().UTC().AddDate(0, 0, l.Days).Truncate(time.Millisecond)
			}
			return n, ""
		}
	}
	return n, "Choose how long the key is valid."
}

func (w *Web) revokeKey(v *visit) error {
	k, err := w.o.Store.KeyByPrefix(v.r.Context(), v.r.PathValue("prefix"))
	switch {
	case errors.Is(err, store.ErrNotFound), err == nil && !w.sees(v, k):
		return &trouble{http.StatusNotFound, "There is no such key."}
	case err != nil:
		return err
	case !mayRevoke(k, v.who):
		return &trouble{http.StatusForbidden, "You may not revoke a key with a stronger role than yours."}
	}
	err = w.o.Store.RevokeKey(v.r.Context(), k.Prefix, w.o.Now())
	if err != nil && !errors.Is(err, store.ErrNotFound) { // not found: somebody was faster
		return err
	}
	v.session.say(flash{Kind: "ok", Text: "The key " + k.Name + " is revoked."})
	return v.redirect(pathKeys)
}

// sees reports whether the page shows the key at all.
func (w *Web) sees(v *visit, k store.Key) bool {
	return v.who.Role.Manages() || k.Prefix == v.who.Key || v.who.UserID != "" && k.UserID == v.who.UserID
}
