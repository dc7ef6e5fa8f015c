package render

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/policy"
)

const (
	// maxCases is the most test cases: with their properties they stay below the 250,000
	// XML objects that GitLab reads.
	maxCases = 10000
	// maxFailure is one failure's text, and maxFailures that of all, in bytes as XML. A
	// report stays below the 30 MB of GitLab.
	maxFailure  = 8 << 10
	maxFailures = 16 << 20
)

// The dialect that both the schema of Jenkins and that of Ant accept: nothing on the
// root, everything on a suite, and the order of its children.
type (
	junitReport struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Package    string          `xml:"package,attr"`
		ID         int             `xml:"id,attr"`
		Hostname   string          `xml:"hostname,attr"`
		Timestamp  string          `xml:"timestamp,attr"` // without a zone; UTC
		Time       string          `xml:"time,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
		Out        string          `xml:"system-out"`
		Err        string          `xml:"system-err"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Time    string        `xml:"time,attr"`
		Failure *junitProblem `xml:"failure"`
		Error   *junitProblem `xml:"error"`
		Skipped *junitSkipped `xml:"skipped"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
	junitSkipped struct {
		Message string `xml:"message,attr"`
	}
)

// findingsJUnit writes findings as test results: a suite for each kind of document, in
// it a case for each rule and document. A case fails when its rule found something that
// nobody accepted, whatever its severity: the failure's type is the severity.
func findingsJUnit(w io.Writer, r *org.FindingsReport, o Options) error {
	at := o.Now
	if at.IsZero() {
		at = time.Unix(0, 0)
	}
	report := junitReport{}
	for _, s := range junitSuites(r, o) {
		s.ID, s.Package, s.Hostname, s.Time = len(report.Suites), "govctl", "localhost", "0"
		s.Timestamp = at.UTC().Format("2006-01-02T15:04:05")
		s.Properties = []junitProperty{{"fail_on", Clean(r.FailOn)}, {"verdict", Clean(r.Verdict)}}
		report.Suites = append(report.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(report); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// junitSuites are the suites with their cases, the engine's after those of documents.
func junitSuites(r *org.FindingsReport, o Options) []junitSuite {
	t := newJUnitTally(r, o)
	kept := t.order[:min(len(t.order), maxCases)]
	room, text := maxCases-len(kept), maxFailure
	if len(kept) > 0 {
		text = min(text, maxFailures/len(kept))
	}
	keys, left := map[string][]junitKey{}, map[string]int{}
	for i, key := range t.order {
		kind := t.rules[key.rule].Kind
		if i < len(kept) {
			keys[kind] = append(keys[kind], key)
		} else {
			left[kind]++
		}
	}
	var suites []junitSuite
	for _, kind := range t.kindNames() {
		silent := t.silent(kind)
		shown := min(room, len(silent))
		room -= shown
		s := t.suite(kind, append(keys[kind], silent[:shown]...), text)
		if n := left[kind] + len(silent) - shown; n > 0 {
			s.Err = fmt.Sprintf("%s left out; all findings are in the JSON output", count(n, "case"))
		}
		if len(s.Cases) > 0 || s.Err != "" {
			suites = append(suites, s)
		}
	}
	if len(r.Gaps) > 0 {
		suites = append(suites, gapSuite(r.Gaps))
	}
	return suites
}

// kindNames are the kinds in the order in which they are reported.
func (t *junitTally) kindNames() []string {
	names, known := sortedNames(t.kinds), policy.Kinds()
	rank := func(kind string) int {
		if i := slices.Index(known, kind); i >= 0 {
			return i
		}
		return len(known)
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b, a)) // "" last
	})
	return names
}

func (t *junitTally) suite(kind string, keys []junitKey, text int) junitSuite {
	slices.SortFunc(keys, func(a, b junitKey) int {
		return cmp.Or(cmp.Compare(a.rule, b.rule), cmp.Compare(a.document, b.document))
	})
	docs := t.kinds[kind]
	suite := junitSuite{Name: firstText(token(kind), "engine")}
	if kind != "" && len(docs.names) > 0 {
		suite.Out = "judged: " + token(strings.Join(docs.names[:min(len(docs.names), maxJudged)], ", "))
		if more := len(docs.names) - maxJudged; more > 0 {
			suite.Out += fmt.Sprintf(" and %s more", comma(more))
		}
	}
	names := map[string]int{}
	for _, key := range keys {
		name, sure := ruleName(key.rule)+" "+Clean(t.rules[key.rule].Title), true
		if key.document != wholeKind {
			sure = docs.sure[key.document]
			if kind == "" || len(docs.names) > 1 {
				name += ": " + Clean(docs.names[key.document])
			}
		}
		c := junitCase{Name: unique(names, oneLine(breakCommands(name))), Class: "govctl." + suite.Name, Time: "0"}
		c.judge(t.found[key], sure, text)
		suite.add(c)
	}
	return suite
}

// unique makes a name differ from those before it: readers keep the first of equal ones.
// next counts the names that were given out. What XML cannot hold is replaced before they
// are compared, because it is replaced afterwards anyway.
func unique(next map[string]int, name string) string {
	name = strings.NewReplacer("\ufffe", "\ufffd", "\uffff", "\ufffd").Replace(name)
	out := name
	for next[out] > 0 {
		next[name]++
		out = fmt.Sprintf("%s (%d)", name, next[name])
	}
	next[out] = 1
	return out
}

func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

// gapSuite is what could not be read: errors, not failures.
func gapSuite(gaps []org.Gap) junitSuite {
	s, names := junitSuite{Name: incomplete}, map[string]int{}
	for _, g := range gaps[:min(len(gaps), maxGaps)] {
		name := firstText(token(g.Fact+" "+g.Key), "something")
		s.add(junitCase{
			Name: unique(names, name), Class: "govctl." + s.Name, Time: "0",
			Error: &junitProblem{Message: Clean(g.Error), Type: incomplete, Text: gapText(g)},
		})
	}
	if more := len(gaps) - maxGaps; more > 0 {
		s.Err = fmt.Sprintf("%s more could not be read", comma(more))
	}
	return s
}
