package render

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// checkParsed reads Markdown as a code host does: every row that was written is a row of
// a table with the cells of its head, and foreign text makes nothing but code.
func checkParsed(t rapid.TB, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Fatal("not UTF-8")
	}
	var rows, tables int
	for line := range strings.SplitSeq(out, "\n") {
		switch {
		case strings.HasPrefix(line, "|---"):
			tables++
		case strings.HasPrefix(line, "|"):
			rows++
		}
	}
	source := []byte(out)
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	var details int
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *extast.Table:
			tables--
			for r := n.FirstChild(); r != nil; r = r.NextSibling() {
				rows--
				if r.ChildCount() != len(n.Alignments) {
					return 0, fmt.Errorf("a row of %d cells in a table of %d", r.ChildCount(), len(n.Alignments))
				}
			}
		case *ast.HTMLBlock:
			html := string(n.Lines().Value(source))
			details += strings.Count(html, "<details><summary>") - strings.Count(html, "</details>")
			if rest := strings.NewReplacer("<details><summary>", "", "</summary>", "", "</details>", "").Replace(html); strings.ContainsAny(rest, "<>&") {
				return 0, fmt.Errorf("HTML of somebody else: %q", html)
			}
		case *ast.RawHTML:
			if html := string(n.Segments.Value(source)); html != "<br>" {
				return 0, fmt.Errorf("HTML of somebody else: %q", html)
			}
		case *ast.Link, *ast.AutoLink, *ast.Image, *ast.FencedCodeBlock, *ast.CodeBlock, *extast.Strikethrough, *extast.TaskCheckBox:
			return 0, fmt.Errorf("%s in %q", n.Kind(), out)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if rows != 0 || tables != 0 || details != 0 {
		t.Fatalf("%d rows, %d tables and %d details are not what they should be", rows, tables, details)
	}
}

// TestMarkdownBudgets renders plans of up to 100,000 changes and hostile names into every
// budget there is.
func TestMarkdownBudgets(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlanOf(t, 0, 1, 20, 150, 150, 150, 1000, 1000, 10_000, 100_000)
		budget := rapid.SampledFrom([]int{MinMarkdownBudget, MinMarkdownBudget, 20_000, MarkdownBudget, MarkdownBudget, MarkdownBudget, 950_000, 1_000_000}).Draw(t, "budget")
		o := Options{Budget: budget, Head: rapid.SampledFrom(hostileTexts).Draw(t, "head")}
		out := write(t, Markdown, p, o)
		checkMarkdownWithin(t, out, budget)
		checkParsed(t, out)
	})
}

// TestMarkdownFillsItsBudget holds that room is used: what is cut is cut late.
func TestMarkdownFillsItsBudget(t *testing.T) {
	t.Parallel()
	p := &plan.Plan{}
	for i := range 100_000 {
		p.Limits = append(p.Limits, plan.LimitChange{
			Action: plan.ActionSet, Email: org.Email(fmt.Sprintf("user%06d@example.com", i)), Before: plan.LimitBefore{Grade: org.NeverSet}, After: int64(i),
		})
	}
	for _, budget := range []int{MinMarkdownBudget, MarkdownBudget, 950_000} {
		out := write(t, Markdown, p, Options{Budget: budget})
		if len(out) < budget-4*footerReserve {
			t.Errorf("%d bytes of %d", len(out), budget)
		}
	}
}

// TestMarkdownTellsWhatHurts holds that it comes before the tables.
func TestMarkdownTellsWhatHurts(t *testing.T) {
	t.Parallel()
	p := &plan.Plan{
		Digest: "sha256:0123456789abcdef",
		Limits: []plan.LimitChange{
			{Action: plan.ActionLower, Email: "ada@x", Before: plan.LimitBefore{Grade: org.Confirmed, Value: 9}, After: 0},
			{Action: plan.ActionRaise, Email: "eve@x", Before: plan.LimitBefore{Grade: org.Confirmed, Value: 1}, After: 2},
		},
		Notes: []plan.Note{{Code: "not_in_organization", Message: "declared, but not there", Items: []plan.NoteItem{{Key: "bob@x"}}}},
	}
	out := write(t, Markdown, p, Options{Head: "0123456789012345"})
	for _, want := range []string{
		"Plan `0123456789ab` of commit `012345678901` for", "- **lowered**: 1 member: `ada@x`\n", "- **limit 0**: 1 member: `ada@x`\n",
		"- **unknown users**: declared, but not there: `bob@x`\n", "--approved-digest sha256:0123456789abcdef`\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
	if strings.Index(out, "**limit 0**") > strings.Index(out, "### Credit limits") {
		t.Error("the tables come first")
	}
}

// TestOtherMarkdownBudgets holds budgets of the other results.
func TestOtherMarkdownBudgets(t *testing.T) {
	t.Parallel()
	for name, r := range reports() {
		var b bytes.Buffer
		if err := Report(&b, Markdown, r, Options{Budget: MinMarkdownBudget}); err != nil {
			t.Fatal(err)
		}
		if b.Len() > MinMarkdownBudget {
			t.Errorf("%s: %d bytes", name, b.Len())
		}
		checkParsed(t, b.String())
		checkHarmless(t, b.String())
	}
}
