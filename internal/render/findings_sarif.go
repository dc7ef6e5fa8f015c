package render

import (
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/govctl/govctl/internal/org"
)

const (
	sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"
	homepage    = "https://github.com/govctl/govctl"

	maxResults = 5000 // GitHub shows no more of a run
	maxTags    = 20   // of a rule
	maxGaps    = 100  // notifications about what could not be read
)

// The parts of SARIF 2.1.0 that GitHub reads, and those that say who accepted what.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Automation  sarifAutomation   `json:"automationDetails"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"semanticVersion,omitempty"`
		URI     string      `json:"informationUri"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifAutomation struct {
		ID string `json:"id"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifRule struct {
		ID         string             `json:"id"`
		Short      sarifText          `json:"shortDescription"`
		Full       sarifText          `json:"fullDescription"`
		Help       sarifText          `json:"help"`
		Default    sarifConfiguration `json:"defaultConfiguration"`
		Properties sarifProperties    `json:"properties"`
	}
	sarifConfiguration struct {
		Level string `json:"level"`
	}
	sarifProperties struct {
		Security string   `json:"security-severity,omitempty"`
		Tags     []string `json:"tags"`
	}
	sarifResult struct {
		RuleID       string             `json:"ruleId"`
		RuleIndex    int                `json:"ruleIndex"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifLocation    `json:"locations"`
		Fingerprints map[string]string  `json:"partialFingerprints"`
		Suppressions []sarifSuppression `json:"suppressions"` // of all results or of none, the standard says
		Properties   sarifStatus        `json:"properties"`
	}
	sarifStatus struct {
		Status   string `json:"status"`
		Severity string `json:"severity"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
	}
	sarifSuppression struct {
		Kind          string         `json:"kind"`
		Status        string         `json:"status"`
		Justification string         `json:"justification"`
		Location      *sarifLocation `json:"location,omitempty"`
	}
)

// findingsSARIF writes findings for code scanning. Findings on live settings stand where
// the configuration speaks of them, else at the project's own block. What could not be
// judged is a note: were it missing, its alert would be closed as if somebody had solved
// it. What could not be read, and what is left out, is said by notifications.
func findingsSARIF(w io.Writer, r *org.FindingsReport, o Options) error {
	findings := placeFindings(r, o)
	rules, index := sarifRules(r, findings)
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "govctl", Version: semanticVersion(o.Version), URI: homepage, Rules: rules}},
		Automation:  sarifAutomation{ID: sarifCategory(o.project())},
		Invocations: []sarifInvocation{{Successful: true, Notifications: sarifNotes(r.Gaps, len(findings))}},
		Results:     []sarifResult{},
	}
	for _, p := range findings[:min(len(findings), maxResults)] {
		run.Results = append(run.Results, sarifResultOf(p, index[ruleName(p.Rule)], o))
	}
	return WriteJSON(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

// sarifCategory keeps the alerts of several projects in one repository apart. Its last
// part, which would name the run, is empty.
func sarifCategory(project string) string {
	if project == "" {
		return "govctl/"
	}
	return "govctl/" + Clean(project) + "/"
}

// semanticVersion is a version of Go as a semantic version, which has no v; "" for one
// that is none, as of a binary built from a work tree.
func semanticVersion(v string) string {
	v = strings.TrimPrefix(v, "v")
	if v == "" || v[0] < '0' || v[0] > '9' {
		return ""
	}
	return Clean(v)
}

func sarifNotes(gaps []org.Gap, findings int) []sarifNotification {
	out := []sarifNotification{}
	add := func(text string) { out = append(out, sarifNotification{"warning", sarifPlain(text)}) }
	if findings > maxResults {
		add(fmt.Sprintf("%s of %s findings are shown, the worst first; all of them are in the JSON output.", comma(maxResults), comma(findings)))
	}
	for _, g := range gaps[:min(len(gaps), maxGaps)] {
		add(gapText(g))
	}
	if more := len(gaps) - maxGaps; more > 0 {
		add(fmt.Sprintf("%s more could not be read.", comma(more)))
	}
	return out
}

// sarifRules are the rules that were evaluated or found something, sorted by id, and
// where each stands. Code scanning closes alerts of a rule that is there and silent.
func sarifRules(r *org.FindingsReport, findings []placed) ([]sarifRule, map[string]int) {
	known := map[string]org.Rule{}
	for _, rule := range r.Rules {
		if _, twice := known[ruleName(rule.ID)]; !twice {
			known[ruleName(rule.ID)] = rule
		}
	}
	wanted := map[string]org.Rule{}
	for name, rule := range known {
		if rule.Enabled {
			wanted[name] = rule
		}
	}
	for _, p := range findings {
		name := ruleName(p.Rule)
		if _, have := wanted[name]; have {
			continue
		}
		rule, have := known[name]
		if !have { // a finding of a saved plan can be of a rule that is no more
			rule = org.Rule{ID: p.Rule, Title: p.Title, Severity: p.Severity, Remediation: p.Remediation}
		}
		wanted[name] = rule
	}
	out, index := []sarifRule{}, map[string]int{}
	for _, name := range sortedNames(wanted) {
		index[name] = len(out)
		out = append(out, sarifRuleOf(name, wanted[name], r.FailOn))
	}
	return out, index
}

func sarifRuleOf(name string, rule org.Rule, failOn string) sarifRule {
	title := firstText(rule.Title, name)
	level := severityLevel(rule.Severity, org.Finding{Status: org.Open, Severity: rule.Severity}.Denies(failOn))
	return sarifRule{
		ID: name, Short: sarifDescription(title),
		Full:       sarifDescription(firstText(rule.Description, title)),
		Help:       sarifDescription(firstText(rule.Remediation, title)),
		Default:    sarifConfiguration{sarifLevel(level)},
		Properties: sarifProperties{Security: securitySeverity(rule.Severity), Tags: sarifTags(rule)},
	}
}

// sarifTags are the tags of a rule. Only with the tag security is its severity shown.
func sarifTags(rule org.Rule) []string {
	tags := []string{}
	if securitySeverity(rule.Severity) != "" {
		tags = append(tags, "security")
	}
	for _, tag := range append([]string{rule.Kind}, rule.Tags...) {
		if tag = Clean(tag); strings.TrimSpace(tag) != "" && !slices.Contains(tags, tag) && len(tags) < maxTags {
			tags = append(tags, tag)
		}
	}
	return tags
}

// securitySeverity is a severity as a CVSS score, in the middle of the band that GitHub
// gives the same name; "" for info, which has no band.
func securitySeverity(severity string) string {
	return []string{"9.5", "8.0", "5.5", "2.0", ""}[org.SeverityRank(severity)]
}

func sarifLevel(l level) string { return []string{"error", "warning", "note"}[l] }

func sarifResultOf(p placed, rule int, o Options) sarifResult {
	result := sarifResult{
		RuleID: ruleName(p.Rule), RuleIndex: rule, Level: sarifLevel(p.level), Message: sarifPlain(remark(p.Finding)),
		Locations:    []sarifLocation{{Physical: sarifAt(p.place), Logical: sarifAbout(p.Finding)}},
		Fingerprints: map[string]string{"govctl/v1": p.fingerprint},
		Suppressions: []sarifSuppression{},
		Properties:   sarifStatus{Status: Clean(p.Status), Severity: Clean(p.Severity)},
	}
	if p.Status == org.Waived {
		s := sarifSuppression{Kind: "external", Status: "accepted", Justification: accepted(p.Finding)}
		if p.Waiver != nil && !p.Waiver.Source.IsZero() {
			s.Location = &sarifLocation{Physical: sarifAt(o.place(&p.Waiver.Source))}
		}
		result.Suppressions = append(result.Suppressions, s)
	}
	return result
}

// sarifAbout names the part of the organization a finding is about.
func sarifAbout(f org.Finding) []sarifLogical {
	if name := Clean(f.Subject + f.Path); strings.TrimSpace(name) != "" {
		return []sarifLogical{{name}}
	}
	return nil
}

func sarifAt(s org.Source) sarifPhysical {
	return sarifPhysical{
		Artifact: sarifArtifact{fileURI(s.File)},
		Region:   sarifRegion{StartLine: s.Line, StartColumn: s.Column, EndLine: s.Line, EndColumn: s.Column + 1},
	}
}

// fileURI is a file name as a relative reference. A colon in the first segment would
// make it a scheme.
func fileURI(name string) string {
	segments := strings.Split(strings.ToValidUTF8(name, "\uFFFD"), "/")
	for i, s := range segments {
		segments[i] = strings.ReplaceAll(url.PathEscape(s), ":", "%3A")
	}
	return strings.Join(segments, "/")
}

// sarifMarkup matches what makes a link or a placeholder of a plain text message.
var sarifMarkup = regexp.MustCompile(`\]\(|\{[0-9]`)

// sarifPlain is a text in which nothing is more than text.
func sarifPlain(s string) sarifText {
	return sarifText{sarifMarkup.ReplaceAllStringFunc(s, func(m string) string { return m[:1] + " " + m[1:] })}
}

// sarifDescription is what a rule says of itself. It is cut last: GitHub takes 1,024
// characters.
func sarifDescription(s string) sarifText {
	return sarifText{cut(sarifPlain(reason(oneLine(s))).Text, maxReason)}
}

// oneLine joins the lines of a description.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
