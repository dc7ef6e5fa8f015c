package render

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/policy"
)

const (
	// configFile is where findings point to when nobody says which file is meant. A code
	// host drops what has no place, so there is always one.
	configFile = "govctl.hcl"
	maxFile    = 4096      // bytes of a file name, as operating systems have it
	maxLine    = 1<<31 - 2 // so that the end of a region is still 32 bits
)

// placed is a finding as code hosts want it: with a place in the repository, a level and
// a name that stays the same from run to run.
type placed struct {
	org.Finding
	place       org.Source // relative to the root of the repository, never zero
	level       level
	fingerprint string // unique in its report; says nothing of lines and messages
}

// level is how loud a finding is where there are only three ways.
type level int

const (
	failing level = iota // it denies, or would if nobody had accepted it
	warning
	notice
)

func levelOf(f org.Finding, failOn string) level {
	if f.Status == org.Indeterminate {
		return notice
	}
	f.Status = org.Open
	return severityLevel(f.Severity, f.Denies(failOn))
}

func severityLevel(severity string, denies bool) level {
	switch {
	case denies:
		return failing
	case org.SeverityRank(severity) <= org.SeverityRank("medium"):
		return warning
	}
	return notice
}

// counts reports whether a finding is neither accepted nor undecided.
func (p placed) counts() bool { return p.Status != org.Waived && p.Status != org.Indeterminate }

// placeFindings prepares the findings of a report: those that count first, then what is
// accepted, then what could not be judged; the worst of each first.
func placeFindings(r *org.FindingsReport, o Options) []placed {
	out := make([]placed, len(r.Findings))
	for i, f := range r.Findings {
		out[i] = placed{Finding: f, place: o.place(f.Source), level: levelOf(f, r.FailOn)}
	}
	group := func(p placed) int { return slices.Index([]string{org.Waived, org.Indeterminate}, p.Status) }
	slices.SortStableFunc(out, func(a, b placed) int {
		return cmp.Or(
			cmp.Compare(group(a), group(b)), cmp.Compare(a.level, b.level),
			cmp.Compare(org.SeverityRank(a.Severity), org.SeverityRank(b.Severity)),
			cmp.Compare(a.place.File, b.place.File), cmp.Compare(a.place.Line, b.place.Line),
			cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Message, b.Message))
	})
	object, seen := lastingNames(r), map[string]int{}
	for i := range out {
		p := &out[i]
		key := fingerprint(o.project(), p.Rule, object(p.Finding), p.Path)
		// Several findings of a rule at one place differ by nothing but what they say.
		p.fingerprint = fingerprint(key, strconv.Itoa(seen[key]))
		seen[key]++
	}
	return out
}

// fingerprint names texts; the lengths keep them apart.
func fingerprint(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_, _ = io.WriteString(h, strconv.Itoa(len(p))+":"+p) // a hash takes everything
	}
	return hex.EncodeToString(h.Sum(nil))
}

// revisionName matches the name of a revision of the settings.
var revisionName = regexp.MustCompile(`@r[0-9]+$`)

// lastingNames names what findings are about. The newest settings are called that
// whichever revision they are; with several revisions, and in the history, the revision
// is what a finding is about.
func lastingNames(r *org.FindingsReport) func(org.Finding) string {
	kinds, newest, revisions := map[string]string{}, "", 0
	for _, rule := range r.Rules {
		kinds[rule.ID] = rule.Kind
	}
	for _, j := range r.Judged {
		if j.Kind == policy.Settings {
			newest = j.Subject
			revisions++
		}
	}
	lasting := revisions == 1 && revisionName.MatchString(newest)
	return func(f org.Finding) string {
		if lasting && f.Subject == newest && kinds[f.Rule] != policy.History {
			return policy.Settings
		}
		return f.Subject
	}
}

// project is the project's directory in its repository, "" for the root.
func (o Options) project() string { return strings.TrimPrefix(path.Join("/", o.Dir), "/") }

// place is where a finding with this declaration stands in the repository.
func (o Options) place(s *org.Source) org.Source {
	out := o.Place
	if s != nil && !s.IsZero() {
		out = *s
	}
	file := o.inRepository(out.File)
	if file == "" {
		out, file = org.Source{}, o.inRepository(configFile)
	}
	if file == "" {
		file = configFile
	}
	clamp := func(n int) int { return min(max(n, 1), maxLine) }
	return org.Source{File: file, Line: clamp(out.Line), Column: clamp(out.Column)}
}

// inRepository is a file of the project as the repository names it, "" if that is no name.
func (o Options) inRepository(file string) string {
	name := strings.TrimPrefix(path.Join("/", o.project(), file), "/")
	if strings.TrimSpace(file) == "" || strings.TrimSpace(name) == "" || len(name) > maxFile {
		return ""
	}
	return name
}

// remark is what a finding says in one line: the message, and what it is about.
func remark(f org.Finding) string {
	text := saying(f)
	var about []string
	for _, s := range []string{subjectText(f), blameText(f.Blame)} {
		if s != "" {
			about = append(about, s)
		}
	}
	if len(about) > 0 {
		text += " (" + strings.Join(about, "; ") + ")"
	}
	return breakCommands(text)
}

// subjectText names what a finding is about.
func subjectText(f org.Finding) string {
	return strings.TrimSpace(Clean(f.Subject) + " " + Clean(f.Path))
}

// saying is the message of a finding, or the best that stands for it.
func saying(f org.Finding) string {
	return reason(firstText(f.Message, f.Title, "the rule says no more"))
}

// accepted says until when and why a finding is accepted.
func accepted(f org.Finding) string {
	w := f.Waiver
	if w == nil {
		return "accepted"
	}
	text := "accepted"
	if w.Owner != "" {
		text += " by " + Clean(w.Owner)
	}
	if w.Expires != "" {
		text += " until " + Clean(w.Expires)
	}
	if w.Reason != "" {
		text += ": " + reason(w.Reason)
	}
	return breakCommands(text)
}

// gapText says what could not be read.
func gapText(g org.Gap) string {
	what := strings.TrimSpace(Clean(g.Fact) + " " + Clean(g.Key))
	return breakCommands(fmt.Sprintf("%s could not be read: %s", firstText(what, "something"), reason(g.Error)))
}

// firstText is the first text that shows anything.
func firstText(texts ...string) string {
	for _, s := range texts {
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// ruleName is a rule's id as outputs write it.
func ruleName(id string) string { return firstText(Clean(id), "unnamed") }

// sortedNames lists the keys of a map in order.
func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
