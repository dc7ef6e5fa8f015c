package render_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/clipperhouse/displaywidth"
	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
	sigs "sigs.k8s.io/yaml"

	"github.com/govctl/govctl/internal/grid"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/render"
)

var rowColumns = []grid.Column{{Name: "id", Brief: true}, {Name: "num", Brief: true}, {Name: "ok", Brief: true}, {Name: "list", Brief: true, Nested: true}}

// written is rows in a format, complete.
func written(t *testing.T, format string, o render.RowsOptions, rows ...grid.Row) string {
	t.Helper()
	var b bytes.Buffer
	w, err := render.Rows(&b, format, rowColumns, []int{0, 1, 2, 3}, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if err := w.Row(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(render.RowsEnd{Complete: true}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRows(t *testing.T) {
	t.Parallel()
	rows := []grid.Row{
		{"ada", json.Number("-5"), true, []any{"x", json.Number("1")}},
		{"=1+1", json.Number("1e3"), false, map[string]any{"k": "v"}},
		{"two\nlines\tand \"quotes\", 漢字", nil, nil, nil},
	}
	for name, c := range map[string]struct {
		format string
		o      render.RowsOptions
		want   string
	}{
		"text":     {render.Text, render.RowsOptions{}, "id\tnum\tok\tlist\nada\t-5\ttrue\t[\"x\",1]\n=1+1\t1e3\tfalse\t{\"k\":\"v\"}\ntwo lines and \"quotes\", 漢字\t-\t-\t-\n"},
		"headless": {render.Text, render.RowsOptions{NoHead: true}, "ada\t-5\ttrue\t[\"x\",1]\n=1+1\t1e3\tfalse\t{\"k\":\"v\"}\ntwo lines and \"quotes\", 漢字\t-\t-\t-\n"},
		"terminal": {render.Text, render.RowsOptions{Width: 40}, "" +
			"id                 num  ok     list\n" +
			"ada                -5   true   [\"x\",1]\n" +
			"=1+1               1e3  false  {\"k\":\"v\"}\n" +
			"two lines and \"q…  -    -      -\n"},
		"csv":    {render.CSV, render.RowsOptions{}, "id,num,ok,list\nada,-5,true,\"[\"\"x\"\",1]\"\n'=1+1,1e3,false,\"{\"\"k\"\":\"\"v\"\"}\"\n\"two\nlines\uFFFDand \"\"quotes\"\", 漢字\",,,\n"},
		"ndjson": {render.NDJSON, render.RowsOptions{}, "{\"id\": \"ada\", \"num\": -5, \"ok\": true, \"list\": [\"x\",1]}\n{\"id\": \"=1+1\", \"num\": 1e3, \"ok\": false, \"list\": {\"k\":\"v\"}}\n{\"id\": \"two\\nlines\\tand \\\"quotes\\\", 漢字\", \"num\": null, \"ok\": null, \"list\": null}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, written(t, c.format, c.o, rows...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRowsEnd(t *testing.T) {
	t.Parallel()
	n := 2
	end := render.RowsEnd{Gap: "cut ##[x]", More: true, Usage: &render.UsageSpan{From: "a", To: "b", AsOf: "c", DaysRequested: 3, DaysReported: &n}}
	want := map[string]any{
		"format_version": "1.0", "rows": []any{}, "complete": false, "gap": "cut ##[x]", "more": true,
		"usage": map[string]any{"from": "a", "to": "b", "as_of": "c", "days_requested": 3.0, "days_reported": 2.0},
	}
	for _, format := range []string{render.JSON, render.YAML} {
		var b bytes.Buffer
		w, err := render.Rows(&b, format, rowColumns, []int{0}, render.RowsOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(end); err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := sigs.Unmarshal(b.Bytes(), &got); err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		if diff := cmp.Diff(want, got); diff != "" || strings.Contains(b.String(), "##[") {
			t.Errorf("%s (-want +got):\n%s\n%s", format, diff, b.String())
		}
	}
}

// anyText draws texts with what outputs must not let through.
func anyText() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"::error::x", "a\n::set-output::y", "##[error]", "##vso[task]", "=1", "+1", "-1", "@x", "\t=1", "\r=1", "\n=1", "\x1b[31m", "\u202e", "\U000e0041", "null", "yes", "2026-11-01", "0x1", "1_000", "~", "- a", "# c", "'", `"`, `\`, "\u2028", "\u0085", "\ufeff",
	}))
}

// TestRowsSurvive: whatever the texts are, JSON and YAML give them back, CSV has as many
// cells as there are and no formula, and nothing in any format steers its reader.
func TestRowsSurvive(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var rows []grid.Row
		for range rapid.IntRange(0, 4).Draw(rt, "rows") {
			s := strings.ToValidUTF8(anyText().Draw(rt, "text"), "?")
			rows = append(rows, grid.Row{s, json.Number("-1.5"), true, []any{s, map[string]any{s: nil}}})
		}
		for _, format := range render.RowsFormats() {
			text := written(t, format, render.RowsOptions{}, rows...)
			for line := range strings.SplitSeq(text, "\n") {
				if i := strings.IndexFunc(line, func(r rune) bool {
					return unicode.IsControl(r) && r != '\t' || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co)
				}); i >= 0 || strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") || strings.Contains(line, "##vso[") {
					rt.Fatalf("%s: %q", format, line)
				}
			}
			var got struct {
				Rows []struct {
					ID string
				}
			}
			switch format {
			case render.JSON:
				if err := json.Unmarshal([]byte(text), &got); err != nil {
					rt.Fatalf("%v\n%s", err, text)
				}
			case render.YAML:
				if err := yaml.Unmarshal([]byte(text), &got); err != nil {
					rt.Fatalf("%v\n%s", err, text)
				}
			case render.CSV:
				records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
				if err != nil || len(records) != len(rows)+1 {
					rt.Fatalf("%d records, %v\n%s", len(records), err, text)
				}
				for _, r := range records {
					if r[0] != "" && strings.ContainsRune("=+-@\t\r\n", rune(r[0][0])) {
						rt.Fatalf("a formula: %q", r[0])
					}
				}
				continue
			default:
				continue
			}
			for i, r := range rows {
				if got.Rows[i].ID != r[0] {
					rt.Fatalf("%s: %q became %q\n%s", format, r[0], got.Rows[i].ID, text)
				}
			}
		}
	})
}

// TestRowsNested: YAML and JSON are the same value, also in lists and objects.
func TestRowsNested(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		s := strings.ToValidUTF8(anyText().Draw(rt, "text"), "?")
		row := grid.Row{s, json.Number("9007199254740993"), nil, map[string]any{"a" + s: []any{s, true, nil, json.Number("1.25")}}}
		asJSON, err := org.DecodeJSON([]byte(written(t, render.JSON, render.RowsOptions{}, row)))
		if err != nil {
			rt.Fatal(err)
		}
		text := written(t, render.YAML, render.RowsOptions{}, row)
		converted, err := sigs.YAMLToJSON([]byte(text))
		if err != nil {
			rt.Fatalf("%v\n%s", err, text)
		}
		asYAML, err := org.DecodeJSON(converted)
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(asJSON, asYAML); diff != "" {
			rt.Fatalf("(-JSON +YAML):\n%s\n%s", diff, text)
		}
	})
}

// TestTerminalFits: no line is wider than the terminal as long as columns can shrink, also
// after the rows that decide the widths.
func TestTerminalFits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		width := rapid.IntRange(40, 120).Draw(rt, "width")
		var rows []grid.Row
		for i := range rapid.IntRange(1, 260).Draw(rt, "rows") {
			rows = append(rows, grid.Row{strings.Repeat("漢x", i%90), json.Number("1"), true, strings.Repeat("é", (i*7)%150)})
		}
		for line := range strings.Lines(written(t, render.Text, render.RowsOptions{Width: width}, rows...)) {
			if w := displaywidth.String(strings.TrimSuffix(line, "\n")); w > width {
				rt.Fatalf("%d columns of %d: %q", w, width, line)
			}
		}
	})
}
