package usage

import (
	"encoding/json"

	"github.com/govctl/govctl/internal/api"
)

// productivity is the row of /productivity (F36-F41).
func (v *view) productivity() api.ProductivityRow {
	return api.ProductivityRow{
		Date:         v.day.date,
		FilesCreated: count(v.sum.created),
		FilesEdited:  count(v.sum.edited),
		ByExtension: ranked(&v.day.extensions, func(name string, n json.Number) api.ExtensionCount {
			return api.ExtensionCount{Extension: name, Count: n}
		}),
		ByLanguage: ranked(&v.day.languages, func(name string, n json.Number) api.LanguageCount {
			return api.LanguageCount{Language: name, Count: n}
		}),
		GitCommits: count(v.sum.commits),
		GitPRs:     count(v.sum.pullRequests),
	}
}
