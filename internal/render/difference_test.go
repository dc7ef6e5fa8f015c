package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/govctl/govctl/internal/plan"
)

// differences are two plans that have nothing in common, and two hostile ones.
func differences() map[string]plan.Difference {
	hostileDiff := plan.Between(hostile(), blockedPlan())
	return map[string]plan.Difference{"plans": plan.Between(small(), unchanged()), "hostile": hostileDiff, "same": plan.Between(small(), small())}
}

func TestDifference(t *testing.T) {
	t.Parallel()
	for name, d := range differences() {
		var text, markdown, data bytes.Buffer
		for format, b := range map[string]*bytes.Buffer{Text: &text, Markdown: &markdown, JSON: &data} {
			if err := Difference(b, format, d, Options{}); err != nil {
				t.Fatal(err)
			}
			checkHarmless(t, b.String())
		}
		checkParsed(t, markdown.String())
		var back plan.Difference
		if err := json.Unmarshal(data.Bytes(), &back); err != nil || len(back.Added) != len(d.Added) || len(back.Moved) != len(d.Moved) {
			t.Errorf("%s: JSON gives back %d added, %v", name, len(back.Added), err)
		}
		if name == "same" && !strings.Contains(text.String(), "The plans are the same.") {
			t.Errorf("%s", text.String())
		}
		if want := fmt.Sprintf("Only in the older plan (%d)", len(d.Removed)); len(d.Removed) > 0 && !strings.Contains(text.String(), want) {
			t.Errorf("%s: no %q in:\n%s", name, want, text.String())
		}
	}
	if err := Difference(nil, "yml", plan.Difference{}, Options{}); err == nil {
		t.Error("no error for an unknown format")
	}
}
