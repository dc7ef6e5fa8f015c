package servicetest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// statements is how many numbered statements the contract has (C1 to C218).
const statements = 218

// elsewhere are statements that no answer of this service can show, and why.
var elsewhere = map[int]string{
	3:   "a day is available when it is over: the batch's own tests in internal/service",
	10:  "no webhook or stream is promised: there is no route to test",
	209: "where people make keys: TestBrowser in internal/service",
	211: "hooks run on the client", 212: "hooks run on the client", 213: "hooks run on the client",
	214: "hooks run on the client", 215: "hooks run on the client", 216: "hooks run on the client",
	217: "versioning of paths is in every path",
	218: "the client must cope with 429: internal/client",
}

// TestEveryStatement lists the numbered statements of the contract that no test of the
// service names. The list is empty.
func TestEveryStatement(t *testing.T) {
	t.Parallel()
	named := map[int]bool{}
	number := regexp.MustCompile(`\bC(\d+)(?:(?:-|–| to )C?(\d+))?\b`)
	for _, dir := range []string{".", "..", "../store", "../usage", "../web", "../sample"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if dir != "." && !strings.HasSuffix(f, "_test.go") || strings.HasSuffix(f, "numbers_test.go") {
				continue
			}
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range number.FindAllStringSubmatch(string(data), -1) {
				first, _ := strconv.Atoi(m[1])
				last, err := strconv.Atoi(m[2])
				if err != nil {
					last = first
				}
				for n := first; n <= min(last, statements); n++ {
					named[n] = true
				}
			}
		}
	}
	var missing []string
	for n := 1; n <= statements; n++ {
		if !named[n] && elsewhere[n] == "" {
			missing = append(missing, fmt.Sprint("C", n))
		}
	}
	if len(missing) > 0 {
		t.Errorf("no test names %s", strings.Join(missing, ", "))
	}
}
