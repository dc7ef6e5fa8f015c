package ledger

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/org"
)

// TestCompactKeepsTheMeaning compares, after every step of a world of several targets,
// what a whole ledger and one that is compacted now and then know of every target.
func TestCompactKeepsTheMeaning(t *testing.T) {
	t.Parallel()
	stored := []Target{{"u", ""}, {"u", "o"}, {"v", "o"}, {"v", ""}, {"u", "p"}}
	var asked []org.Target
	for _, base := range []string{"u", "v", "w"} {
		for _, organization := range []string{"", "o", "p", "q"} {
			asked = append(asked, org.Target{BaseURL: base, Organization: organization})
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		w := &world{t: t, values: map[org.Email]int64{}, targets: stored}
		var small []Record
		taken := 0 // of w.records
		catchUp := func() {
			small = append(small, w.records[taken:]...)
			taken = len(w.records)
		}
		t.Repeat(map[string]func(*rapid.T){
			"ask":     func(*rapid.T) { w.ask() },
			"send":    func(*rapid.T) { w.send() },
			"answer":  func(*rapid.T) { w.answer() },
			"crash":   func(*rapid.T) { w.crash() },
			"import":  func(*rapid.T) { w.state() },
			"machine": func(*rapid.T) { w.machine() },
			"compact": func(*rapid.T) { catchUp(); small = compact(small) },
			"": func(t *rapid.T) {
				catchUp()
				for _, target := range asked {
					want, got := Fold(w.records, target), Fold(small, target)
					got.Position = want.Position
					if diff := cmp.Diff(want, got); diff != "" {
						t.Fatalf("%+v (-whole +compacted):\n%s\nwhole:\n%scompacted:\n%s", target, diff, dump(w.records), dump(small))
					}
				}
			},
		})
	})
}

// A compacted ledger that git merges with an older copy of itself claims nothing that it
// did not know before.
func TestCompactThenMerge(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := &world{t: t, values: map[org.Email]int64{}}
		t.Repeat(map[string]func(*rapid.T){
			"ask": func(*rapid.T) { w.ask() }, "send": func(*rapid.T) { w.send() }, "answer": func(*rapid.T) { w.answer() },
		})
		older := w.records[:rapid.IntRange(0, len(w.records)).Draw(t, "older")]
		merged := append(append([]Record(nil), compact(w.records)...), older...)
		want, got := Fold(w.records, org.Target{BaseURL: "u"}).Limits, Fold(merged, org.Target{BaseURL: "u"}).Limits
		for email, k := range got.All() {
			if before, _ := want.Of(email); k.Grade != org.Unknown && k != before {
				t.Fatalf("%s: %+v before, %+v merged\n%s", email, before, k, dump(w.records))
			}
		}
		for email := range want.All() {
			if _, ok := got.Of(email); !ok {
				t.Fatalf("%s is forgotten\n%s", email, dump(w.records))
			}
		}
	})
}

// What does not matter goes, and only that.
func TestCompactRemoves(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		lines []string
		want  []int // lines that stay
	}{
		{"confirmed again", []string{"1 ask ada=10", "1 set ada", "2 ask ada=20", "2 set ada"}, []int{2, 3}},
		{"refused since", []string{"1 ask ada=10", "1 set ada", "2 ask ada=20", "2 refused ada"}, []int{0, 1}},
		{"never set", []string{"1 ask ada=10", "1 refused ada", "2 ask ada=10", "2 not_sent ada"}, nil},
		{"still open", []string{"1 ask ada=10", "1 set ada", "2 ask ada=20"}, []int{0, 1, 2}},
		{"half of a batch", []string{"1 ask ada=10 bob=10", "1 set ada bob", "2 ask ada=20", "2 set ada"}, []int{0, 1, 2, 3}},
		{"answer of nothing", []string{"9 set ada"}, []int{0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			records := script(t, c.lines...)
			var want []Record
			for _, i := range c.want {
				want = append(want, records[i])
			}
			if diff := cmp.Diff(want, compact(records)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A bulk ledger that was asserted again as a whole shrinks to its second half.
func TestCompactHalves(t *testing.T) {
	t.Parallel()
	once, err := parse(string(history(t, 5000)))
	if err != nil {
		t.Fatal(err)
	}
	var twice []Record
	for round := range 2 {
		for _, r := range once.Records() {
			r.ID = fmt.Sprintf("%d-%s", round, r.ID)
			if r.Kind == Outcome {
				r.Of = fmt.Sprintf("%d-%s", round, r.Of)
			}
			r.At = r.At.AddDate(0, round, 0)
			twice = append(twice, r)
		}
	}
	if diff := cmp.Diff(twice[len(twice)/2:], compact(twice)); diff != "" {
		t.Errorf("(-second round +got):\n%s", diff)
	}
}
