package live

import (
	"context"

	"github.com/govctl/govctl/internal/api"
)

// Seen counts what the sessions that are not archived mention. The API lists neither
// computers nor models in use, so this is the only hint of those nobody declared: a lower
// bound.
type Seen struct {
	Computers map[string]int // sessions by computer id
	Models    map[string]int // sessions by model, for work or plans; a session may count for two
}

// SessionsSeen walks the sessions. After an error Seen has what was read until then.
func SessionsSeen(ctx context.Context, r SessionReader, progress func(fact string, n int)) (Seen, error) {
	out := Seen{Computers: map[string]int{}, Models: map[string]int{}}
	n := 0
	for s, err := range r.Sessions(ctx) {
		if err != nil {
			return out, err
		}
		if n++; n%api.MaxPage == 0 {
			progress(FactSessions, n)
		}
		o := session(s)
		if o.Archived {
			continue
		}
		out.Computers[o.ComputerID]++
		out.Models[o.Model]++
		if spec := o.SpecModeModel; spec != "" && spec != o.Model {
			out.Models[spec]++
		}
	}
	return out, ctx.Err()
}
