package service

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/service/openapi"
	"github.com/govctl/govctl/internal/service/web"
)

// TestDocumentHasEveryRoute: the service has no endpoint that openapi.yaml lacks, and the
// other way round.
func TestDocumentHasEveryRoute(t *testing.T) {
	t.Parallel()
	text, err := openapi.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]struct {
			Tags      []string
			Responses map[string]json.RawMessage
		}
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	pages, err := web.New(web.Options{Usage: (&Service{}).webUsage})
	if err != nil {
		t.Fatal(err)
	}
	have := append(pages.Patterns(), "GET /healthz", "GET /readyz", "GET /openapi.json", "GET /metrics")
	for _, r := range routes() {
		have = append(have, r.method+" "+r.path)
	}
	var want []string
	for path, item := range document.Paths {
		for method, op := range item {
			want = append(want, strings.ToUpper(method)+" "+path)
			always := []string{"405", "500"}
			if slices.Contains(op.Tags, "web") {
				always = []string{"303", "404", "500"} // another method is sent to the login, or has no page
			}
			for _, status := range always {
				if op.Responses[status] == nil {
					t.Errorf("%s %s does not declare %s", method, path, status)
				}
			}
		}
	}
	slices.Sort(have)
	slices.Sort(want)
	if !slices.Equal(have, want) {
		t.Errorf("service:\n%s\nopenapi.yaml:\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}

// TestDescribe: the document is what is answered, to GET only, without a key.
func TestDescribe(t *testing.T) {
	t.Parallel()
	s := &Service{o: Options{Now: time.Now}}
	want, err := openapi.JSON()
	if err != nil {
		t.Fatal(err)
	}
	status, body, err := s.answer(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	if got, ok := body.(json.RawMessage); status != 200 || err != nil || !ok || string(got) != string(want) {
		t.Errorf("%d, %v", status, err)
	}
	if _, _, err := s.answer(httptest.NewRecorder(), httptest.NewRequest(http.MethodPut, "/openapi.json", nil)); err == nil {
		t.Error("PUT is allowed")
	}
}
