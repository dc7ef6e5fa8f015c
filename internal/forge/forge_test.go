package forge

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/forge/forgetest"
)

// both runs a test against each kind of host.
func both(t *testing.T, test func(t *testing.T, s *forgetest.Server, f *Forge)) {
	t.Helper()
	for _, kind := range []string{GitHub, GitLab} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := forgetest.Start(kind)
			t.Cleanup(s.Close)
			test(t, s, open(t, s))
		})
	}
}

func open(t *testing.T, s *forgetest.Server) *Forge {
	t.Helper()
	f, err := Open(Options{Kind: s.Kind, API: s.API(), Repository: "acme/gov", Token: "tok-1", FirstWait: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// post is what run n says.
func post(n int64, text string) Post {
	return Post{Marker: Marker{Kind: "plan", Project: "prod", Run: n}, Text: text, Footer: "run " + string(rune('0'+n))}
}

// say comments on change 7 and returns the action.
func say(t *testing.T, f *Forge, p Post) string {
	t.Helper()
	out, err := f.Comment(t.Context(), 7, p)
	if err != nil {
		t.Fatal(err)
	}
	return out.Action
}

// writes are the requests that change something.
func writes(s *forgetest.Server) []string {
	return slices.DeleteFunc(s.Requests(), func(r string) bool { return strings.HasPrefix(r, "GET ") })
}

func TestCommentIsEditedInPlace(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, s *forgetest.Server, f *Forge) {
		var got []string
		for _, p := range []Post{post(1, "a"), post(2, "a"), post(3, "b"), post(2, "old"), post(3, "b")} {
			got = append(got, say(t, f, p))
		}
		if diff := cmp.Diff([]string{Created, Unchanged, Edited, Newer, Unchanged}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if n := len(writes(s)); n != 2 {
			t.Errorf("%d writes", n)
		}
		list := s.Comments()
		if len(list) != 1 || list[0].Body != post(3, "b").Body() {
			t.Errorf("%+v", list)
		}
		for _, token := range s.Tokens() {
			if !strings.Contains(token, "tok-1") {
				t.Errorf("credential %q", token)
			}
		}
	})
}

func TestCommentBelongsToProjectKindAndAuthor(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, s *forgetest.Server, f *Forge) {
		other := post(1, "x")
		other.Marker.Project = "staging"
		drift := post(1, "x")
		drift.Marker.Kind = "drift"
		s.Add(
			forgetest.Comment{Change: 7, Author: "mallory", Body: post(99, "mine now").Body()},
			forgetest.Comment{Change: 7, Author: s.Login, Body: other.Body()},
			forgetest.Comment{Change: 7, Author: s.Login, Body: drift.Body()},
			forgetest.Comment{Change: 7, Author: s.Login, Body: "I quote:\n" + post(9, "x").Body()},
			forgetest.Comment{Change: 8, Author: s.Login, Body: post(9, "x").Body()},
		)
		if a := say(t, f, post(2, "new")); a != Created {
			t.Errorf("%s: somebody else's comment was taken for ours", a)
		}
		if a := say(t, f, post(3, "newer")); a != Edited || len(s.Comments()) != 6 {
			t.Errorf("%s, %d comments", a, len(s.Comments()))
		}
	})
}

func TestCommentIsFoundOnALaterPage(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, s *forgetest.Server, f *Forge) {
		for range 250 {
			s.Add(forgetest.Comment{Change: 7, Author: "eve", Body: "+1"})
		}
		say(t, f, post(1, "a"))
		for range 50 {
			s.Add(forgetest.Comment{Change: 7, Author: "eve", Body: "+1"})
		}
		s.Requests()
		if a := say(t, f, post(2, "b")); a != Edited {
			t.Errorf("%s", a)
		}
		if got := s.Requests(); len(got) != 5 { // four pages, one edit
			t.Errorf("%q", got)
		}
	})
}

// TestCommentRace lets two runs comment at once: whatever they leave, the next one puts
// right.
func TestCommentRace(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, s *forgetest.Server, _ *Forge) {
		var wait sync.WaitGroup
		for n := range int64(4) {
			f := open(t, s)
			wait.Go(func() {
				if _, err := f.Comment(t.Context(), 7, post(n+1, "race")); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		s.Add(forgetest.Comment{Change: 7, Author: s.Login, Body: post(3, "twice").Body()})
		for range 2 {
			say(t, open(t, s), post(5, "last"))
		}
		s.Requests()
		said := 0
		for _, c := range s.Comments() {
			switch content(c.Body) {
			case "last":
				said++
			case replaced:
			default:
				t.Errorf("left: %q", c.Body)
			}
		}
		if said != 1 || say(t, open(t, s), post(6, "last")) != Unchanged || len(writes(s)) != 0 {
			t.Errorf("said %d times, or not settled", said)
		}
	})
}

func TestSilentPostOnlyReplaces(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, s *forgetest.Server, f *Forge) {
		quiet := post(1, "nothing to do")
		quiet.Silent = true
		if a := say(t, f, quiet); a != Nothing || len(s.Comments()) != 0 {
			t.Error(a)
		}
		say(t, f, post(1, "a"))
		if a := say(t, f, quiet); a != Edited {
			t.Error(a)
		}
	})
}

func TestCommentErrors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fail  func(method, what string) int
		is    error
		calls int
	}{
		"no rights to list":  {func(_, what string) int { return when(what == "comment", 403) }, ErrForbidden, 2},
		"no rights to write": {func(m, what string) int { return when(what == "comment" && m == "POST", 403) }, ErrForbidden, 3},
		"not found":          {func(_, what string) int { return when(what == "comment", 404) }, ErrForbidden, 2},
		"bad token":          {func(_, what string) int { return when(what == "user", 401) }, ErrForbidden, 1},
		"too large":          {func(m, _ string) int { return when(m == "POST", 413) }, ErrTooLong, 3},
		"broken list":        {func(_, what string) int { return when(what == "comment", 502) }, nil, 2 + retries},
		"broken create":      {func(m, _ string) int { return when(m == "POST", 500) }, nil, 3}, // never sent twice
		"moved":              {func(_, what string) int { return when(what == "comment", 301) }, nil, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			both(t, func(t *testing.T, s *forgetest.Server, f *Forge) {
				s.Fail = c.fail
				_, err := f.Comment(t.Context(), 7, post(1, "a"))
				if err == nil || c.is != nil && !errors.Is(err, c.is) || c.is == nil && (errors.Is(err, ErrForbidden) || errors.Is(err, ErrTooLong)) {
					t.Errorf("got %v", err)
				}
				if strings.Contains(err.Error(), "tok-1") {
					t.Errorf("the token is in %v", err)
				}
				if got := s.Requests(); len(got) != c.calls {
					t.Errorf("%d requests, want %d: %q", len(got), c.calls, got)
				}
			})
		})
	}
}

func when(is bool, status int) int {
	if is {
		return status
	}
	return 0
}

// TestPassingErrorsPass holds that what may be repeated is.
func TestPassingErrorsPass(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, s *forgetest.Server, f *Forge) {
		say(t, f, post(1, "a"))
		n := 0
		s.Fail = func(string, string) int { n++; return when(n%2 == 1, http.StatusServiceUnavailable) }
		if a := say(t, f, post(2, "b")); a != Edited {
			t.Error(a)
		}
	})
}

func TestTooLong(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, s *forgetest.Server, f *Forge) {
		s.MaxBody = 1000
		if _, err := f.Comment(t.Context(), 7, post(1, strings.Repeat("x", 1000))); !errors.Is(err, ErrTooLong) {
			t.Errorf("got %v", err)
		}
	})
}

// TestActionsToken holds that a token which may not ask who it is writes as the bot.
func TestActionsToken(t *testing.T) {
	t.Parallel()
	s := forgetest.Start(GitHub)
	defer s.Close()
	s.Login, s.Hidden = actionsBot, true
	f := open(t, s)
	if a, b := say(t, f, post(1, "a")), say(t, f, post(2, "a")); a != Created || b != Unchanged {
		t.Error(a, b)
	}
}

func TestJobToken(t *testing.T) {
	t.Parallel()
	s := forgetest.Start(GitLab)
	defer s.Close()
	f, err := Open(Options{Kind: GitLab, API: s.API(), Repository: "5", Token: "tok-1", JobToken: true})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := say(t, f, post(1, "a")), say(t, f, post(2, "b")); a != Created || b != Edited {
		t.Error(a, b)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	good := Options{Kind: GitHub, API: "https://api.github.com", Repository: "a/b", Token: "t"}
	for _, c := range []struct {
		change func(*Options)
		want   string
	}{
		{func(*Options) {}, ""},
		{func(o *Options) { o.API = "http://127.0.0.1:1" }, ""},
		{func(o *Options) { o.API = "http://[::1]:1" }, ""},
		{func(o *Options) { o.API = "http://ghe.example/api/v3" }, "must begin with https://"},
		{func(o *Options) { o.API = "http://localhost.evil.example" }, "must begin with https://"},
		{func(o *Options) { o.API = "ftp://x" }, "must begin with https://"},
		{func(o *Options) { o.API = "" }, "must begin with https://"},
		{func(o *Options) { o.Token = "" }, "no token"},
		{func(o *Options) { o.Repository = "" }, "no repository"},
		{func(o *Options) { o.Repository = "a" }, "is not OWNER/NAME"},
		{func(o *Options) { o.Repository = "a/b/c" }, "is not OWNER/NAME"},
		{func(o *Options) { o.Kind = "svn" }, "is not github or gitlab"},
	} {
		o := good
		c.change(&o)
		_, err := Open(o)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", o, err, c.want)
		}
	}
}

func TestIssue(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, s *forgetest.Server, f *Forge) {
		s.AddIssues(forgetest.Issue{Author: "mallory", Body: post(9, "x").Body()}, forgetest.Issue{Author: s.Login, Body: "other"})
		run := int64(0)
		for _, step := range []struct {
			text  string
			state State
			want  string
		}{
			{"", ShouldBeClosed, Nothing},
			{"", ShouldStay, Nothing},
			{"two differences", ShouldBeOpen, Created},
			{"two differences", ShouldBeOpen, Unchanged},
			{"three differences", ShouldBeOpen, Edited},
			{"", ShouldStay, Kept},
			{"in sync", ShouldBeClosed, Closed},
			{"in sync", ShouldBeClosed, Nothing},
			{"", ShouldStay, Nothing},
			{"three differences", ShouldBeOpen, Reopened},
		} {
			run++
			out, err := f.Issue(t.Context(), Issue{Post: post(run, step.text), Title: "drift", State: step.state, Labels: []string{"drift"}})
			if err != nil || out.Action != step.want {
				t.Fatalf("run %d: %s, %v; want %s", run, out.Action, err, step.want)
			}
		}
		list := s.Issues()
		want := forgetest.Issue{Author: s.Login, Title: "drift", Labels: []string{"drift"}, Body: post(run, "three differences").Body()}
		if diff := cmp.Diff(want, list[len(list)-1]); diff != "" || len(list) != 3 {
			t.Errorf("%d issues (-want +got):\n%s", len(list), diff)
		}
		if out, err := f.Issue(t.Context(), Issue{Post: post(2, "late"), State: ShouldBeClosed}); err != nil || out.Action != Newer {
			t.Errorf("a late run: %v, %v", out, err)
		}
		s.Fail = func(m, _ string) int { return when(m != "GET", 403) }
		if _, err := f.Issue(t.Context(), Issue{Post: post(11, "x"), State: ShouldBeClosed}); !errors.Is(err, ErrForbidden) {
			t.Errorf("got %v", err)
		}
	})
}

// TestIssueIsNoPullRequest holds that GitHub's list of both is not taken for one.
func TestIssueIsNoPullRequest(t *testing.T) {
	t.Parallel()
	s := forgetest.Start(GitHub)
	defer s.Close()
	s.AddIssues(forgetest.Issue{Author: s.Login, Body: post(1, "x").Body(), Pull: true})
	out, err := open(t, s).Issue(t.Context(), Issue{Post: post(2, "x"), State: ShouldBeOpen})
	if err != nil || out.Action != Created {
		t.Errorf("%v, %v", out, err)
	}
}

// TestMarker holds that a marker gives back what it was made of and stays one comment.
func TestMarker(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "a b", "-->", "--", "x kind=plan", "\n", "é"}))
		m := Marker{
			Kind: rapid.SampledFrom([]string{"plan", "drift"}).Draw(t, "kind"), Project: text.Draw(t, "project"), Run: rapid.Int64Min(0).Draw(t, "run"),
			Attempt: rapid.Int64Min(0).Draw(t, "attempt"), Head: text.Draw(t, "head"), Digest: "sha256:" + rapid.StringMatching("[0-9a-f]{1,64}").Draw(t, "digest"),
		}
		line := m.String()
		if strings.Count(line, "--") != 2+strings.Count(m.Project+m.Head, "--") || strings.Index(line, "-->") != len(line)-3 || strings.ContainsAny(line, "\r\n") {
			t.Fatalf("%q is more than one comment", line)
		}
		back, ok := ParseMarker(line + "\ntext")
		if diff := cmp.Diff(m, back); !ok || diff != "" {
			t.Fatalf("%v (-want +got):\n%s", ok, diff)
		}
		p := Post{Marker: m, Text: "said\n" + rapid.SampledFrom([]string{"", "x"}).Draw(t, "text"), Footer: rapid.SampledFrom([]string{"", "job"}).Draw(t, "footer")}
		if got, want := content(strings.ReplaceAll(p.Body(), "\n", "\r\n")), strings.TrimSpace(p.Text); got != want {
			t.Fatalf("content %q, want %q", got, want)
		}
		if p.Overhead()+len(strings.TrimRight(p.Text, "\n")) != len(p.Body()) {
			t.Fatal("wrong overhead")
		}
	})
	for _, s := range []string{"", "text", "x" + Marker{}.String(), "<!-- govctl:v1 -->", "<!-- govctl:v1 kind=plan project=%zz part=1/1 run=1 attempt=0 head= sha256= -->"} {
		if _, ok := ParseMarker(s); ok {
			t.Errorf("%q has no marker", s)
		}
	}
}
