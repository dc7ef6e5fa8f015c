package usage_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/service/usage"
)

// traffic makes spans that look like a day of telemetry: 5,000 users with 8 sessions
// each, 20 tools, 6 models. It keeps names, not spans.
type traffic struct {
	random                                *rand.Rand
	users, emails, sessions, tools, model []string
	from                                  int64
}

func newTraffic(users int) *traffic {
	t := &traffic{random: rand.New(rand.NewPCG(1, 2)), from: noon(0)}
	for i := range users {
		t.users = append(t.users, fmt.Sprintf("usr_%06d", i))
		t.emails = append(t.emails, fmt.Sprintf("user%06d@acme.example", i))
	}
	for i := range 8 * users {
		t.sessions = append(t.sessions, fmt.Sprintf("ses_%08x-0000-4000-8000-%012d", i, i))
	}
	for i := range 20 {
		t.tools = append(t.tools, fmt.Sprintf("tool_%02d", i))
	}
	for i := range 6 {
		t.model = append(t.model, fmt.Sprintf("model-%d", i))
	}
	return t
}

// next returns a span: half tool calls, a quarter messages, a fifth model requests.
func (t *traffic) next() usage.Span {
	session := t.random.IntN(len(t.sessions))
	user := session % len(t.users)
	s := usage.Span{
		Start: t.from + t.random.Int64N(int64(12*time.Hour)), UserID: t.users[user], UserEmail: t.emails[user],
		SessionID: t.sessions[session], Client: usage.ClientTerminal,
	}
	switch dice := t.random.IntN(100); {
	case dice < 50:
		s.Kind, s.Name, s.Delegation = usage.ToolCall, t.tools[t.random.IntN(len(t.tools))], "auto-low"
		if dice < 5 {
			s.Detail = "tracker"
		}
	case dice < 75:
		s.Kind, s.Name = usage.Message, usage.RoleAssistant
		if dice < 60 {
			s.Name = usage.RoleUser
		}
	case dice < 93:
		s.Kind, s.Name, s.Detail = usage.ModelRequest, t.model[t.random.IntN(len(t.model))], usage.TierStandard
		s.Input, s.Output, s.CacheRead = 20_000, 500, 15_000
	case dice < 98:
		s.Kind, s.Name, s.Created = usage.FileChange, ".go", dice == 93
	case dice < 99:
		s.Kind = usage.SessionStart
	default:
		s.Kind, s.Name, s.Detail, s.Command = usage.HookRun, "PostToolUse", "edit", "fmt.sh"
	}
	return s
}

// BenchmarkDay counts a day and makes its rows; the spans are made outside the clock in
// blocks. GOVCTL_SPANS sets their number, 10 million without -short.
func BenchmarkDay(b *testing.B) {
	spans, err := strconv.Atoi(os.Getenv("GOVCTL_SPANS"))
	if err != nil {
		spans = 10_000_000
	}
	if testing.Short() {
		spans = 100_000
	}
	var peak uint64
	for range b.N {
		b.StopTimer()
		traffic, block := newTraffic(5000), make([]usage.Span, 0, 10_000)
		base := heap(true)
		d := usage.NewDay(time.Unix(0, noon(0)), usage.DefaultPricing())
		for done := 0; done < spans; done += cap(block) {
			block = block[:0]
			for range cap(block) {
				block = append(block, traffic.next())
			}
			b.StartTimer()
			for _, s := range block {
				d.Add(s)
			}
			b.StopTimer()
			peak = max(peak, heap(false)-min(base, heap(false)))
		}
		b.StartTimer()
		r := d.Result(usage.Facts{})
		b.StopTimer()
		peak = max(peak, heap(false)-min(base, heap(false)))
		runtime.KeepAlive(r)
	}
	b.ReportMetric(float64(spans)*float64(b.N)/b.Elapsed().Seconds(), "spans/s")
	b.ReportMetric(float64(peak)/1e6, "peak-MB")
}

// heap is the memory of live and dead objects, after a collection only the live ones.
func heap(collect bool) uint64 {
	if collect {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkParse reads model requests, the kind with most attributes, from a slice as a
// decoder of OTLP has it.
func BenchmarkParse(b *testing.B) {
	type attribute struct {
		key   string
		value usage.Value
	}
	attributes := []attribute{
		{"user.id", usage.String("u")}, {"session.id", usage.String("s")}, {"agent.client", usage.String("web")},
		{"gen_ai.operation.name", usage.String("chat")}, {"gen_ai.response.model", usage.String("m")},
		{"agent.model.tier", usage.String("thinking")}, {"gen_ai.usage.input_tokens", usage.Int(1000)},
		{"gen_ai.usage.output_tokens", usage.Int(10)}, {"agent.credits", usage.Double(0.25)},
	}
	find := func(key string) usage.Value {
		i := slices.IndexFunc(attributes, func(a attribute) bool { return a.key == key })
		if i < 0 {
			return usage.Value{}
		}
		return attributes[i].value
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := usage.Parse("agent.model.request", uint64(noon(0)), find); err != nil {
			b.Fatal(err)
		}
	}
}
