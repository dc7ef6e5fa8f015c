package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/api"
)

func jsonNumber(s string) json.Number { return json.Number(s) }

// service is an exporter that counts every span once, refuses those of some sessions, and
// fails as it is told.
type service struct {
	spans  map[string]string // trace id -> session
	bad    string            // session it refuses
	status int               // of requests with a refused span; 0: a partial success
	faults []error           // of the next requests; nil is none
	lost   bool              // faults come after the spans were stored
	sent   int
}

func (s *service) ExportTraces(_ context.Context, body []byte) (int64, string, error) {
	s.sent++
	var fault error
	if len(s.faults) > 0 {
		fault, s.faults = s.faults[0], s.faults[1:]
		if fault != nil && !s.lost {
			return 0, "", fault
		}
	}
	var t otlpTraces
	if err := json.Unmarshal(body, &t); err != nil {
		return 0, "", &api.Error{Status: http.StatusBadRequest}
	}
	var rejected int64
	for _, span := range t.ResourceSpans[0].ScopeSpans[0].Spans {
		session := *span.Attributes[1].Value.String
		if session == s.bad {
			if s.status != 0 {
				return 0, "", &api.Error{Status: s.status}
			}
			rejected++
			continue
		}
		s.spans[span.TraceID] = session
	}
	return rejected, "no such session", fault
}

func record(t testing.TB, session string) Record {
	t.Helper()
	r, err := NewRecord(api.HookInput{HookEventName: "Stop", SessionID: &session}, Sender{UserID: "u", Client: "web", Command: "c"}, time.Unix(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func spoolOf(t testing.TB, sessions ...string) *Spool {
	t.Helper()
	s, err := OpenSpool(filepath.Join(t.TempDir(), "spool"))
	if err != nil {
		t.Fatal(err)
	}
	for _, session := range sessions {
		if err := s.Add(record(t, session)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestFlush(t *testing.T) {
	t.Parallel()
	offline := errors.New("connection refused")
	for name, test := range map[string]struct {
		service service
		events  []string
		want    Delivered
		fails   bool
		sent    int
	}{
		"all":                    {events: []string{"a", "b"}, want: Delivered{Sent: 2}, sent: 1},
		"nothing":                {want: Delivered{}},
		"offline":                {service: service{faults: []error{offline}}, events: []string{"a", "b"}, want: Delivered{Left: 2}, fails: true, sent: 1},
		"no right":               {service: service{faults: []error{&api.Error{Status: 403}}}, events: []string{"a"}, want: Delivered{Left: 1}, fails: true, sent: 1},
		"one refused":            {service: service{bad: "b"}, events: []string{"a", "b", "c"}, want: Delivered{Sent: 2, Refused: 1}, fails: true, sent: 4},
		"one poisons the others": {service: service{bad: "b", status: 400}, events: []string{"a", "b", "c"}, want: Delivered{Sent: 2, Refused: 1}, fails: true, sent: 4},
		"one too large":          {service: service{bad: "b", status: 413}, events: []string{"b"}, want: Delivered{Refused: 1}, fails: true, sent: 1},
		"answer lost":            {service: service{faults: []error{offline}, lost: true}, events: []string{"a"}, want: Delivered{Left: 1}, fails: true, sent: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.service.spans = map[string]string{}
			s := spoolOf(t, test.events...)
			got, err := s.Flush(t.Context(), &test.service, "")
			if (err != nil) != test.fails {
				t.Errorf("error: %v", err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("delivered (-want +got):\n%s", diff)
			}
			if test.service.sent != test.sent {
				t.Errorf("%d requests, want %d", test.service.sent, test.sent)
			}
			if _, refused, err := s.Waiting(); err != nil || refused != test.want.Refused {
				t.Errorf("%d events put aside, %v", refused, err)
			}
		})
	}
}

// An event without a user waits for one who delivers it.
func TestFlushUser(t *testing.T) {
	t.Parallel()
	s := spoolOf(t)
	r := record(t, "a")
	r.UserID = ""
	if err := s.Add(r); err != nil {
		t.Fatal(err)
	}
	to := &service{spans: map[string]string{}}
	if got, err := s.Flush(t.Context(), to, ""); err == nil || got.Left != 1 || to.sent != 0 {
		t.Errorf("without a user: %+v, %v, %d requests", got, err, to.sent)
	}
	if got, err := s.Flush(t.Context(), to, "ada"); err != nil || got.Sent != 1 {
		t.Errorf("with a user: %+v, %v", got, err)
	}
}

// Files that are no events are put aside and do not hold up the others; two processes do
// not send at once; a spool has an end.
func TestSpool(t *testing.T) {
	t.Parallel()
	s := spoolOf(t, "a")
	for name, text := range map[string]string{"0.json": "{", "1.json": `{"version": 9}`, "2.txt": "not mine"} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	to := &service{spans: map[string]string{}}
	unlock, _, err := s.lock()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.Flush(t.Context(), to, ""); err != nil || !got.Busy || got.Left != 3 {
		t.Errorf("while another one sends: %+v, %v", got, err)
	}
	unlock()
	if got, err := s.Flush(t.Context(), to, ""); err == nil || got.Sent != 1 || got.Refused != 2 || got.Left != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	for i := range MaxSpooled {
		name := filepath.Join(s.dir, record(t, "x").ID.String()+".json")
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatalf("file %d: %v", i, err)
		}
	}
	if err := s.Add(record(t, "a")); !errors.Is(err, ErrFull) {
		t.Errorf("one too many: %v", err)
	}
}

// Whatever faults come, and whether before or after the service has stored the spans: in
// the end every event is counted once, and none is left.
func TestEveryEventIsCountedOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		s := spoolOf(t)
		to := &service{spans: map[string]string{}, lost: rapid.Bool().Draw(rt, "lost")}
		want := map[string]string{}
		for range rapid.IntRange(1, 4).Draw(rt, "rounds") {
			for range rapid.IntRange(0, 5).Draw(rt, "events") {
				r := record(t, rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "session"))
				if err := s.Add(r); err != nil {
					rt.Fatal(err)
				}
				want[hexOf(r)] = r.SessionID
			}
			to.faults = rapid.SliceOfN(rapid.SampledFrom([]error{nil, errors.New("reset"), &api.Error{Status: 503}}), 0, 2).Draw(rt, "faults")
			_, _ = s.Flush(t.Context(), to, "") // it fails as it is told to
		}
		to.faults = nil
		if got, err := s.Flush(t.Context(), to, ""); err != nil || got.Left != 0 {
			rt.Fatalf("%+v, %v", got, err)
		}
		if diff := cmp.Diff(want, to.spans); diff != "" {
			rt.Fatalf("spans (-want +got):\n%s", diff)
		}
	})
}

func hexOf(r Record) string {
	var t otlpTraces
	if err := json.Unmarshal(traces([]Record{r}, ""), &t); err != nil {
		panic(err)
	}
	return t.ResourceSpans[0].ScopeSpans[0].Spans[0].TraceID
}

func TestNewRecord(t *testing.T) {
	t.Parallel()
	message, session := "secret plans", "ses"
	r, err := NewRecord(api.HookInput{HookEventName: "Stop", SessionID: &session, Message: &message, Cwd: &message}, Sender{}, time.Unix(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), message) {
		t.Error("the message is kept")
	}
	back, err := decodeRecord(data)
	if diff := cmp.Diff(r, back); err != nil || diff != "" {
		t.Errorf("%v, (-want +got):\n%s", err, diff)
	}
	if _, err := NewRecord(api.HookInput{HookEventName: "Stop"}, Sender{}, time.Unix(1, 0)); err == nil {
		t.Error("an event without a session was taken")
	}
}

func FuzzDecodeRecord(f *testing.F) {
	data, err := json.Marshal(record(f, "ses"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"version":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := decodeRecord(data)
		if err != nil {
			return
		}
		var got otlpTraces
		if err := json.Unmarshal(traces([]Record{r}, "u"), &got); err != nil {
			t.Fatalf("a request that is no JSON: %v", err)
		}
	})
}
