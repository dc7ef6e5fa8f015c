package service_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/govctl/govctl/internal/service/servicetest"
	"github.com/govctl/govctl/internal/service/store"
)

// newKey makes a key and returns its text, "" if it was refused, with the answer.
func (v *visitor) newKey(form url.Values) (string, *httptest.ResponseRecorder) {
	v.t.Helper()
	for name, value := range map[string]string{"name": "a key", "role": "member", "days": "30"} {
		if !form.Has(name) {
			form.Set(name, value)
		}
	}
	w := v.post(keysPage, form)
	if w.Code != http.StatusSeeOther {
		return "", w
	}
	w = v.get(keysPage)
	m := regexp.MustCompile(`id="new-key" class="secret">([^<]+)<`).FindStringSubmatch(w.Body.String())
	if m == nil {
		return "", w
	}
	return m[1], w
}

// TestWebKeyRoles: nobody makes a key that may do more than the session.
func TestWebKeyRoles(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	st := s.Service.Store()
	weak, _, err := st.CreateKey(t.Context(), store.NewKey{Name: "weak", UserID: "usr_001", Role: store.Guest}, s.Clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	account, _, err := st.CreateKey(t.Context(), store.NewKey{Name: "account", Role: store.Member}, s.Clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, key string
		form      url.Values
		want      store.Role // of the new key; "" for refused
	}{
		{"owner", s.Keys.Owner, url.Values{"role": {"owner"}}, store.Owner},
		{"owner for an account", s.Keys.Owner, url.Values{"role": {"manager"}, "for": {"service"}}, store.Manager},
		{"manager", s.Keys.Manager, url.Values{"role": {"manager"}}, store.Manager},
		{"manager who wants to own", s.Keys.Manager, url.Values{"role": {"owner"}}, ""},
		{"manager for an account that owns", s.Keys.Manager, url.Values{"role": {"owner"}, "for": {"service"}}, ""},
		{"member while it is restricted", s.Keys.Member, url.Values{}, ""},
		{"guest", s.Keys.Guest, url.Values{"role": {"guest"}}, ""},
		{"owner with a guest's key", weak, url.Values{"role": {"owner"}}, ""},
		{"owner with a guest's key, as guest", weak, url.Values{"role": {"guest"}}, ""},
		{"service account", account, url.Values{"role": {"member"}}, ""},
		{"unknown role", s.Keys.Owner, url.Values{"role": {"root"}}, ""},
		{"no role", s.Keys.Owner, url.Values{"role": {""}}, ""},
		{"no name", s.Keys.Owner, url.Values{"name": {" "}}, ""},
		{"long name", s.Keys.Owner, url.Values{"name": {strings.Repeat("x", 101)}}, ""},
		{"name that turns", s.Keys.Owner, url.Values{"name": {"a\u202eb"}}, ""},
		{"unknown time", s.Keys.Owner, url.Values{"days": {"31"}}, ""},
	} {
		text, w := enter(t, s, c.key).newKey(c.form)
		if c.want == "" {
			if text != "" {
				t.Errorf("%s: got a key", c.name)
			}
			continue
		}
		who, err := st.Authenticate(t.Context(), text, s.Clock.Now())
		if err != nil || who.Role != c.want {
			t.Errorf("%s: %d, %+v, %v", c.name, w.Code, who, err)
		}
	}
}

// TestWebRestriction holds C210: the setting decides whether members make keys.
func TestWebRestriction(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	v := enter(t, s, s.Keys.Member)
	if page := v.get(keysPage).Body.String(); !strings.Contains(page, "restrictApiKeyCreationToManagers") || strings.Contains(page, `id="create"`) {
		t.Error("the page does not say why there is no form")
	}
	_, w := v.newKey(url.Values{})
	if w.Code != 403 {
		t.Errorf("while it is restricted: %d", w.Code)
	}
	_, err := s.Service.Store().AddRevision(t.Context(), []byte(`{"restrictApiKeyCreationToManagers":false}`), store.Actor{}, s.Clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	text, w := v.newKey(url.Values{"for": {"service"}})
	if text != "" {
		t.Errorf("a member made a service account: %d", w.Code)
	}
	if text, w = v.newKey(url.Values{}); text == "" {
		t.Errorf("when it is not: %d %s", w.Code, w.Body)
	}
}

// TestWebSeesAndRevokes: members their own keys, managers those of nobody stronger.
func TestWebSeesAndRevokes(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	prefix := func(key string) string { return strings.Split(key, "_")[1] }
	member, manager := enter(t, s, s.Keys.Member), enter(t, s, s.Keys.Manager)
	page := member.get(keysPage).Body.String()
	if !strings.Contains(page, prefix(s.Keys.Member)) || strings.Contains(page, prefix(s.Keys.Owner)) {
		t.Error("a member does not see exactly the own keys")
	}
	for _, c := range []struct {
		name string
		by   *visitor
		key  string
		want int
	}{
		{"member, of another", member, s.Keys.Guest, 404},
		{"manager, of an owner", manager, s.Keys.Owner, 403},
		{"manager, of a guest", manager, s.Keys.Guest, 303},
		{"manager, again", manager, s.Keys.Guest, 303},
		{"unknown", manager, "gk_aaaaaaaa_b", 404},
		{"member, the own", member, s.Keys.Member, 303},
	} {
		if w := c.by.post(keysPage+"/"+prefix(c.key)+"/revoke", nil); w.Code != c.want {
			t.Errorf("%s: %d, want %d", c.name, w.Code, c.want)
		}
	}
	if got, _ := status(t, s, s.Keys.Owner, anyMembersPath); got != 200 {
		t.Errorf("the owner's key: %d", got)
	}
	for _, path := range []string{"/settings/history", "/settings/history/3", "/usage"} {
		if w := enter(t, s, s.Keys.Owner).get(path); w.Code != 200 {
			t.Errorf("%s for an owner: %d", path, w.Code)
		}
	}
}
