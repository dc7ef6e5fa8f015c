package usage_test

import (
	"testing"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/usage"
)

func file(extension, language string, created bool) usage.Span {
	return usage.Span{Kind: usage.FileChange, Name: extension, Detail: language, Created: created}
}

// TestProductivityF36ToF41 counts files and git (C82-C89).
func TestProductivityF36ToF41(t *testing.T) {
	t.Parallel()
	got := resultOf(file(".go", "", true), file(".go", "", false), file(".ts", "", false), file(".tsx", "", false), file("", "", true), file(".TS", "Mine", false),
		usage.Span{Kind: usage.GitCommit}, usage.Span{Kind: usage.GitCommit}, usage.Span{Kind: usage.PullRequest}).Productivity
	equal(t, "row", got, api.ProductivityRow{
		Date: today, FilesCreated: "2", FilesEdited: "4", // F36, F37
		ByExtension: []api.ExtensionCount{{Extension: ".go", Count: "2"}, {Extension: "", Count: "1"}, {Extension: ".TS", Count: "1"}, {Extension: ".ts", Count: "1"}, {Extension: ".tsx", Count: "1"}}, // F38
		ByLanguage:  []api.LanguageCount{{Language: "Go", Count: "2"}, {Language: "TypeScript", Count: "2"}, {Language: "Mine", Count: "1"}, {Language: "Other", Count: "1"}},                           // F39
		GitCommits:  "2", GitPRs: "1",                                                                                                                                                                   // F40, F41
	})
}

// TestLanguageF39: the attribute wins, then the table in any case, then Other.
func TestLanguageF39(t *testing.T) {
	t.Parallel()
	for span, want := range map[usage.Span]string{
		file(".py", "", false): "Python", file("py", "", false): "Python", file(".PY", "", false): "Python", file(".py", "python", false): "python",
		file(".unheard", "", false): "Other", file("", "", false): "Other", file(".", "", false): "Other", file("..py", "", false): "Other",
		file(".yml", "", false): "YAML", file(".tf", "", false): "HCL", file(".rs", "", false): "Rust",
	} {
		equal(t, span.Name+" language", resultOf(span).Productivity.ByLanguage, []api.LanguageCount{{Language: want, Count: "1"}})
	}
}
