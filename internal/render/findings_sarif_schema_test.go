package render

import (
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"pgregory.net/rapid"
)

// validSARIF lets the standard's schema judge a file as go-sarif read it. Of what go-sarif
// writes itself and we leave out, three members have zero values that the schema refuses;
// they get the standard's defaults.
func validSARIF(out string) error {
	report, err := sarif.FromString(out)
	if err != nil {
		return err
	}
	for _, run := range report.Runs {
		run.Language, run.Tool.Driver.Language = "en-US", "en-US"
		run.NewlineSequences = []string{"\r\n", "\n"}
	}
	return report.Validate()
}

func TestSARIFSchema(t *testing.T) {
	t.Parallel()
	for name, r := range policyReports() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := validSARIF(writeFindings(t, SARIF, r, acme)); err != nil {
				t.Error(err)
			}
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		if err := validSARIF(writeFindings(t, SARIF, drawFindings(t), acme)); err != nil {
			t.Fatal(err)
		}
	})
	bad := strings.Replace(writeFindings(t, SARIF, policyReports()["findings_mixed"], acme), `"level": "error"`, `"level": "deny"`, 1)
	if validSARIF(bad) == nil {
		t.Error("a level the standard does not have is accepted: nothing is judged here")
	}
}
