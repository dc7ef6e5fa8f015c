package service

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/govctl/govctl/internal/service/store"
	"github.com/govctl/govctl/internal/service/usage"
)

const (
	// maxIngests bounds the memory of requests with spans: more wait for their turn.
	maxIngests = 4
	// maxAhead is how far the clock of a sender may be ahead.
	maxAhead = 24 * time.Hour
	// maxText is the longest text of a span, so that no sender can make a day large.
	maxText = 8 << 10

	scopeName = "agent.usage"
)

// countIgnored counts spans of other scopes; the others count refusals by reason.
const (
	countIgnored  = "ignored"
	countRefused  = "refused: "
	reasonVersion = "scope version is unknown"
	reasonZeroID  = "trace id or span id is zero"
	reasonLong    = "a text is longer than 8192 bytes"
	reasonOrg     = "organization.id is that of another organization"
	reasonUser    = "user.id is not that of the key"
	reasonAhead   = "start is more than 24 h ahead"
	reasonSealed  = "start is on a day that is final, 35 days or more ago"
)

// exported is the answer to spans.
type exported struct {
	rejected int64
	message  string
}

// exportTraces answers POST /v1/traces (5.1): OTLP over HTTP, as protobuf or JSON. Spans
// that are refused do not hold up the others; what is stored is durable when it answers.
func (s *Service) exportTraces(c *call) (any, error) {
	media, err := mediaOf(c.request.Header)
	if err != nil {
		return nil, err
	}
	select {
	case s.ingests <- struct{}{}:
		defer func() { <-s.ingests }()
	case <-c.ctx.Done():
		return nil, c.ctx.Err()
	}
	raw, err := readTraces(c.request)
	if err != nil {
		return nil, err
	}
	data, err := media.decode(raw)
	if err != nil {
		return nil, err
	}
	in, err := s.newIntake(c)
	if err != nil {
		return nil, err
	}
	if err := in.take(data); err != nil {
		return nil, err
	}
	done, err := s.store.AddSpans(c.ctx, in.batch)
	if err != nil {
		return nil, err
	}
	return in.answer(done), nil
}

// intake sorts the spans of one request.
type intake struct {
	call  *call
	store *store.Store
	org   string
	ahead int64 // start of a span in nanoseconds at most
	batch store.Batch

	members map[string]bool // of users asked about
}

func (s *Service) newIntake(c *call) (*intake, error) {
	org, err := s.organizationID(c)
	if err != nil {
		return nil, err
	}
	now := s.now()
	return &intake{
		call: c, store: s.store, org: org, ahead: now.Add(maxAhead).UnixNano(), members: map[string]bool{},
		batch: store.Batch{Open: store.DayOf(now) - sealedDays + 1, Counts: map[string]int64{}},
	}, nil
}

// take goes through a request. An error means that the request could not be decided.
func (in *intake) take(data *tracepb.TracesData) error {
	for _, resource := range data.GetResourceSpans() {
		for _, scope := range resource.GetScopeSpans() {
			if scope.GetScope().GetName() != scopeName {
				in.batch.Counts[countIgnored] += int64(len(scope.GetSpans()))
				continue
			}
			for _, span := range scope.GetSpans() {
				err := in.one(resource, scope, span)
				var no usage.Refusal
				switch {
				case errors.As(err, &no):
					in.batch.Counts[countRefused+no.Error()]++
				case errors.As(err, new(refused)):
					in.batch.Counts[countRefused+err.Error()]++
				case err != nil:
					return err
				}
			}
		}
	}
	return nil
}

// refused is a reason that package usage cannot know.
type refused string

// Error returns the reason.
func (r refused) Error() string { return string(r) }

func (in *intake) one(resource *tracepb.ResourceSpans, scope *tracepb.ScopeSpans, span *tracepb.Span) error {
	if v := scope.GetScope().GetVersion(); v != "" && v != "1" {
		return refused(reasonVersion)
	}
	var id store.SpanID
	copy(id[:16], span.GetTraceId())
	copy(id[16:], span.GetSpanId())
	if [16]byte(id[:16]) == [16]byte{} || [8]byte(id[16:]) == [8]byte{} {
		return refused(reasonZeroID)
	}
	find := attributesOf(span.GetAttributes(), resource.GetResource().GetAttributes())
	got, err := usage.Parse(span.GetName(), span.GetStartTimeUnixNano(), find)
	if err != nil {
		return err
	}
	sp := toStore(got)
	switch {
	case tooLong(&sp):
		return refused(reasonLong)
	case sp.Start > in.ahead:
		return refused(reasonAhead)
	case store.DayOf(time.Unix(0, sp.Start)) < in.batch.Open:
		return refused(reasonSealed)
	}
	if org := find("organization.id"); org != (usage.Value{}) && org != usage.String(in.org) {
		return refused(reasonOrg)
	}
	if ok, err := in.mayReport(sp.UserID); err != nil {
		return err
	} else if !ok {
		return refused(reasonUser)
	}
	in.batch.IDs = append(in.batch.IDs, id)
	in.batch.Spans = append(in.batch.Spans, sp)
	return nil
}

func tooLong(sp *store.Span) bool {
	return max(len(sp.UserID), len(sp.UserEmail), len(sp.SessionID), len(sp.Client),
		len(sp.Name), len(sp.Detail), len(sp.Command), len(sp.Delegation)) > maxText
}

// mayReport tells whether the key may send spans of a user: those of managers and owners
// of anybody, that of a member its own, and a service account with the Member role those of
// ids that are no member, such as its own.
func (in *intake) mayReport(user string) (bool, error) {
	who := in.call.who
	if who.Role.Manages() {
		return true, nil
	}
	if who.UserID != "" {
		return user == who.UserID, nil
	}
	member, asked := in.members[user]
	if !asked {
		_, err := in.store.User(in.call.ctx, user)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return false, err
		}
		member = err == nil
		in.members[user] = member
	}
	return !member, nil
}

// answer tells the sender what was refused, most frequent first, and that it sent other
// spans under ids it had used.
func (in *intake) answer(done store.Ingested) exported {
	var out exported
	var reasons []string
	for what, n := range in.batch.Counts {
		if reason, ok := strings.CutPrefix(what, countRefused); ok {
			out.rejected += n
			reasons = append(reasons, reason)
		}
	}
	slices.SortFunc(reasons, func(a, b string) int {
		return cmp.Or(cmp.Compare(in.batch.Counts[countRefused+b], in.batch.Counts[countRefused+a]), cmp.Compare(a, b))
	})
	var parts []string
	for _, reason := range reasons {
		parts = append(parts, fmt.Sprintf("%d refused: %s", in.batch.Counts[countRefused+reason], reason))
	}
	if done.Conflicts > 0 {
		parts = append(parts, fmt.Sprintf("%d ignored: a span with the same id and other content was kept", done.Conflicts))
	}
	out.message = strings.Join(parts, "; ")
	return out
}
