package ledger

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/org"
)

var start = time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)

// script makes records from lines like "1 ask ada=10 bob=20" and "1 set ada", one
// second apart. The first word is the request they belong to.
func script(t *testing.T, lines ...string) []Record {
	t.Helper()
	var out []Record
	for i, line := range lines {
		f := strings.Fields(line)
		r := Record{ID: fmt.Sprintf("r%03d", i), At: start.Add(time.Duration(i) * time.Second), Kind: Outcome, Of: "ask" + f[0]}
		for _, word := range f[2:] {
			name, credits, _ := strings.Cut(word, "=")
			email := org.Email(name)
			switch f[1] {
			case "ask":
				r.ID, r.Kind, r.Of, r.Target = "ask"+f[0], Intention, "", Target{BaseURL: "u"}
				l := Limit{Email: email, UserID: "user_" + name}
				if _, err := fmt.Sscan(credits, &l.Credits); err != nil {
					t.Fatal(err)
				}
				r.Limits = append(r.Limits, l)
			case "set":
				r.Set = append(r.Set, email)
			case "refused":
				r.Refused = append(r.Refused, Refused{Email: email, Error: "no"})
			case "unknown":
				r.Unknown = append(r.Unknown, email)
			case "not_sent":
				r.NotSent = append(r.NotSent, email)
			}
		}
		out = append(out, r)
	}
	return out
}

// gradeOf is the grade of what is known of an address.
func gradeOf(k org.Known, email org.Email) org.Grade {
	limit, _ := k.Limits.Of(email)
	return limit.Grade
}

func confirmed(credits int64, second int) org.KnownLimit {
	return org.KnownLimit{Grade: org.Confirmed, Credits: credits, At: start.Add(time.Duration(second) * time.Second), UserID: "user_ada"}
}

func TestFoldLimits(t *testing.T) {
	t.Parallel()
	unknown := org.KnownLimit{Grade: org.Unknown}
	var never org.KnownLimit
	for _, c := range []struct {
		name  string
		lines []string
		want  org.KnownLimit
	}{
		{"nothing", nil, never},
		{"open", []string{"1 ask ada=10"}, unknown},
		{"set", []string{"1 ask ada=10", "1 set ada"}, confirmed(10, 1)},
		{"refused at first", []string{"1 ask ada=10", "1 refused ada"}, never},
		{"not sent at first", []string{"1 ask ada=10", "1 not_sent ada"}, never},
		{"unknown", []string{"1 ask ada=10", "1 unknown ada"}, unknown},
		{"not mentioned", []string{"1 ask ada=10 bob=1", "1 set bob"}, unknown},
		{"refused restores", []string{"1 ask ada=10", "1 set ada", "2 ask ada=20", "2 refused ada"}, confirmed(10, 1)},
		{"refused beside an open one", []string{"1 ask ada=10", "1 set ada", "2 ask ada=20", "3 ask ada=30", "3 refused ada"}, unknown},
		{"both refused", []string{"1 ask ada=10", "1 set ada", "2 ask ada=20", "3 ask ada=30", "3 refused ada", "2 refused ada"}, confirmed(10, 1)},
		{"set clears earlier", []string{"1 ask ada=10", "2 ask ada=20", "2 set ada"}, confirmed(20, 2)},
		{"set leaves later open", []string{"1 ask ada=10", "2 ask ada=20", "1 set ada"}, unknown},
		{"later refused after set", []string{"1 ask ada=10", "2 ask ada=20", "1 set ada", "2 refused ada"}, confirmed(10, 2)},
		{"delayed set of an older ask", []string{"1 ask ada=10", "2 ask ada=20", "2 set ada", "1 set ada"}, unknown},
		{"delayed doubt of an older ask", []string{"1 ask ada=10", "2 ask ada=20", "2 set ada", "1 unknown ada"}, unknown},
		{"delayed refusal of an older ask", []string{"1 ask ada=10", "2 ask ada=20", "2 set ada", "1 refused ada"}, confirmed(20, 2)},
		{"overlapping sets", []string{"1 ask ada=10", "2 ask ada=20", "1 set ada", "2 set ada"}, unknown},
		{"asked again after an overlap", []string{"1 ask ada=10", "2 ask ada=20", "1 set ada", "2 set ada", "3 ask ada=30", "3 set ada"}, confirmed(30, 5)},
		{"set twice", []string{"1 ask ada=10", "1 set ada", "1 set ada"}, confirmed(10, 1)},
		{"outcome of nothing", []string{"9 set ada"}, never},
		{"set of another address", []string{"1 ask bob=10", "1 set ada"}, never},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, _ := Fold(script(t, c.lines...), org.Target{BaseURL: "u"}).Limits.Of("ada")
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%q (-want +got):\n%s", c.lines, diff)
			}
		})
	}
}

func TestFoldTarget(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rec  Target
		want org.Target
		is   bool
	}{
		{Target{"u", "o"}, org.Target{BaseURL: "u", Organization: "o"}, true},
		{Target{"u", "o"}, org.Target{BaseURL: "v", Organization: "o"}, true},
		{Target{"u", "o"}, org.Target{BaseURL: "u", Organization: "p"}, false},
		{Target{"u", ""}, org.Target{BaseURL: "u", Organization: "p"}, true},
		{Target{"u", "o"}, org.Target{BaseURL: "u"}, true},
		{Target{"u", ""}, org.Target{BaseURL: "v"}, false},
	} {
		records := script(t, "1 ask ada=10", "1 set ada")
		records[0].Target = c.rec
		if got := Fold(records, c.want).Limits.Len() == 1; got != c.is {
			t.Errorf("record of %+v belongs to %+v: got %v", c.rec, c.want, got)
		}
	}
}

func TestFoldComputers(t *testing.T) {
	t.Parallel()
	ask := func(id string, n int, o Object) Record {
		return Record{ID: id, At: start.Add(time.Duration(n)), Kind: Intention, Computer: &o}
	}
	answer := func(of string, n int, o Object) Record {
		return Record{ID: of + "-done", At: start.Add(time.Duration(n)), Kind: Outcome, Of: of, Computer: &o}
	}
	create := Object{Action: "create", Name: "build-01"}
	for _, c := range []struct {
		name    string
		records []Record
		want    map[string]org.KnownComputer
	}{
		{"open create", []Record{ask("a", 1, create)}, map[string]org.KnownComputer{"build-01": {Unknown: true}}},
		{"created", []Record{ask("a", 1, create), answer("a", 2, Object{ID: "cmp_1", Result: Done})}, map[string]org.KnownComputer{"build-01": {ID: "cmp_1"}}},
		{"failed", []Record{ask("a", 1, create), answer("a", 2, Object{Result: Failed})}, map[string]org.KnownComputer{}},
		{"unknown", []Record{ask("a", 1, create), answer("a", 2, Object{Result: Unknown})}, map[string]org.KnownComputer{"build-01": {Unknown: true}}},
		{"update open", []Record{
			ask("a", 1, create), answer("a", 2, Object{ID: "cmp_1", Result: Done}),
			ask("b", 3, Object{Action: "update", Name: "build-01", ID: "cmp_1"}),
		}, map[string]org.KnownComputer{"build-01": {ID: "cmp_1", Unknown: true}}},
		{"done clears earlier", []Record{
			ask("a", 1, create), ask("b", 3, Object{Action: "update", Name: "build-01", ID: "cmp_2"}), answer("b", 4, Object{Result: Done}),
		}, map[string]org.KnownComputer{"build-01": {ID: "cmp_2"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, Fold(c.records, org.Target{}).Computers); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// request is one batch in the model.
type request struct {
	rec      Record
	sent     bool // the service has seen it
	late     bool // the service saw a later one first
	answered bool
	refused  map[org.Email]bool
}

// world is a model of a service that applies, refuses or loses entries, and of processes
// that send in any order, are answered late and crash.
type world struct {
	t       *rapid.T
	n       int
	values  map[org.Email]int64
	records []Record
	flying  []*request
	targets []Target // of asks, at random; nil: always u
}

// target is where the next ask goes.
func (w *world) target() Target {
	if w.targets == nil {
		return Target{BaseURL: "u"}
	}
	return rapid.SampledFrom(w.targets).Draw(w.t, "target")
}

// state is a person who says what a value is.
func (w *world) state() {
	email := rapid.SampledFrom([]org.Email{"a", "b", "c"}).Draw(w.t, "stated")
	w.write(Record{Kind: Import, Target: w.target(), Import: &Imported{By: "eve"}, Limits: []Limit{{Email: email, Credits: int64(w.n)}}})
}

// machine is a request about a computer, answered at once or never.
func (w *world) machine() {
	o := Object{Action: "update", Name: rapid.SampledFrom([]string{"m1", "m2"}).Draw(w.t, "machine")}
	r := w.write(Record{Kind: Intention, Target: w.target(), Computer: &o})
	if rapid.Bool().Draw(w.t, "answered") {
		o.ID, o.Result = fmt.Sprint("cmp_", w.n), rapid.SampledFrom([]Result{Done, Failed, Unknown, NotSent}).Draw(w.t, "result")
		w.write(Record{Kind: Outcome, Of: r.ID, Computer: &o})
	}
}

func (w *world) write(r Record) Record {
	w.n++
	r.ID, r.At = fmt.Sprintf("r%04d", w.n), start.Add(time.Duration(w.n)*time.Second)
	w.records = append(w.records, r)
	return r
}

func (w *world) ask() {
	emails := rapid.SliceOfNDistinct(rapid.SampledFrom([]org.Email{"a", "b", "c"}), 1, 3, rapid.ID[org.Email]).Draw(w.t, "emails")
	r := Record{Kind: Intention, Target: w.target()}
	for _, e := range emails {
		r.Limits = append(r.Limits, Limit{Email: e, Credits: int64(w.n*10 + len(r.Limits))})
	}
	w.flying = append(w.flying, &request{rec: w.write(r), refused: map[org.Email]bool{}})
}

// pick draws a request that is not answered yet.
func (w *world) pick() *request {
	var open []*request
	for _, q := range w.flying {
		if !q.answered {
			open = append(open, q)
		}
	}
	if len(open) == 0 {
		return nil
	}
	return open[rapid.IntRange(0, len(open)-1).Draw(w.t, "request")]
}

func (w *world) send() {
	q := w.pick()
	if q == nil || q.sent {
		return
	}
	q.sent = true
	for _, other := range w.flying {
		q.late = q.late || other.sent && other.rec.At.After(q.rec.At)
	}
	for _, l := range q.rec.Limits {
		if rapid.Bool().Draw(w.t, "refuse") {
			q.refused[l.Email] = true
		} else {
			w.values[l.Email] = l.Credits
		}
	}
}

func (w *world) answer() {
	q := w.pick()
	if q == nil {
		return
	}
	q.answered = true
	r := Record{Kind: Outcome, Of: q.rec.ID}
	for _, l := range q.rec.Limits {
		switch {
		case rapid.IntRange(0, 4).Draw(w.t, "doubt") == 0:
			r.Unknown = append(r.Unknown, l.Email)
		case !q.late && rapid.IntRange(0, 9).Draw(w.t, "silent") == 0:
		case !q.sent:
			r.NotSent = append(r.NotSent, l.Email)
		case q.refused[l.Email]:
			r.Refused = append(r.Refused, Refused{Email: l.Email, Error: "no"})
		default:
			r.Set = append(r.Set, l.Email)
		}
	}
	w.write(r)
}

// overtaken reports whether a request that the service saw out of order still waits for
// its answer: Fold assumes that there is none.
func (w *world) overtaken() bool {
	for _, q := range w.flying {
		if q.late && !q.answered {
			return true
		}
	}
	return false
}

func (w *world) crash() {
	if !w.overtaken() {
		w.flying = nil
	}
}

func (w *world) check() {
	if w.overtaken() {
		return
	}
	known := Fold(w.records, org.Target{BaseURL: "u"})
	for _, e := range []org.Email{"a", "b", "c"} {
		k, ok := known.Limits.Of(e)
		have, set := w.values[e]
		switch {
		case k.Grade == org.Confirmed && (!set || have != k.Credits):
			w.t.Fatalf("%s: confirmed %d, the service has %d (%v)\n%s", e, k.Credits, have, set, dump(w.records))
		case !ok && set:
			w.t.Fatalf("%s: never set, the service has %d\n%s", e, have, dump(w.records))
		}
	}
}

func dump(records []Record) string {
	var b strings.Builder
	for _, r := range records {
		line, _ := encode(r)
		b.Write(line)
	}
	return b.String()
}

func TestFoldNeverClaimsWhatIsNot(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := &world{t: t, values: map[org.Email]int64{}}
		t.Repeat(map[string]func(*rapid.T){
			"ask":    func(*rapid.T) { w.ask() },
			"send":   func(*rapid.T) { w.send() },
			"answer": func(*rapid.T) { w.answer() },
			"crash":  func(*rapid.T) { w.crash() },
			"":       func(*rapid.T) { w.check() },
		})
	})
}

// What is settled without overlap must not stay unknown, or every plan would send
// everything again.
func TestFoldConverges(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := &world{t: t, values: map[org.Email]int64{}}
		t.Repeat(map[string]func(*rapid.T){
			"ask": func(*rapid.T) { w.ask() }, "send": func(*rapid.T) { w.send() },
			"answer": func(*rapid.T) { w.answer() }, "crash": func(*rapid.T) { w.crash() },
		})
		last := w.write(Record{Kind: Intention, Target: Target{BaseURL: "u"}, Limits: []Limit{{Email: "a", Credits: 7}}})
		w.write(Record{Kind: Outcome, Of: last.ID, Set: []org.Email{"a"}})
		if k, _ := Fold(w.records, org.Target{BaseURL: "u"}).Limits.Of("a"); k.Grade != org.Confirmed || k.Credits != 7 {
			t.Fatalf("got %+v\n%s", k, dump(w.records))
		}
	})
}

func TestFoldIgnoresOrderAndRepetition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := &world{t: t, values: map[org.Email]int64{}}
		t.Repeat(map[string]func(*rapid.T){
			"ask": func(*rapid.T) { w.ask() }, "send": func(*rapid.T) { w.send() }, "answer": func(*rapid.T) { w.answer() },
		})
		mixed := append([]Record(nil), w.records...)
		if len(mixed) > 0 {
			mixed = append(mixed, mixed[rapid.IntRange(0, len(mixed)-1).Draw(t, "again")])
		}
		rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed"))).Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		want, got := Fold(w.records, org.Target{BaseURL: "u"}), Fold(mixed, org.Target{BaseURL: "u"})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-ordered +mixed):\n%s", diff)
		}
	})
}
