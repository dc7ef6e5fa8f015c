package forge

import (
	"context"
	"fmt"
)

// Actions of an Outcome.
const (
	Created   = "created"
	Edited    = "edited"
	Unchanged = "unchanged" // the same is there already
	Newer     = "newer"     // a newer run has spoken: nothing was written
	Nothing   = "nothing"   // there was nothing to say, and nothing said before
	Reopened  = "reopened"
	Closed    = "closed"
	Kept      = "kept" // an issue stays as it is, because nobody knows
)

// Outcome is what became of a comment or an issue.
type Outcome struct {
	Action string
	Link   string // its page, "" for none
}

// replaced is what stays of a comment that stands there twice.
const replaced = "Replaced by the other comment of govctl for this project."

// Comment writes p on a change, or edits what an earlier run of the same author wrote
// there for the same kind and project.
func (f *Forge) Comment(ctx context.Context, change int, p Post) (Outcome, error) {
	author, err := f.login(ctx)
	if err != nil {
		return Outcome{}, err
	}
	var mine []note
	for n, err := range f.host.comments(ctx, change) {
		if err != nil {
			return Outcome{}, fmt.Errorf("list comments: %w", err)
		}
		if m, ok := ParseMarker(n.body); ok && n.author == author && m.same(p.Marker) {
			if m.after(p.Marker) {
				return Outcome{Newer, n.link}, nil
			}
			mine = append(mine, n)
		}
	}
	if len(mine) == 0 {
		if p.Silent {
			return Outcome{Action: Nothing}, nil
		}
		n, err := f.host.addComment(ctx, change, p.Body())
		if err != nil {
			return Outcome{}, fmt.Errorf("write comment: %w", err)
		}
		return Outcome{Created, n.link}, nil
	}
	out := Outcome{Unchanged, mine[0].link}
	if content(mine[0].body) != content(p.Body()) {
		if _, err := f.host.setComment(ctx, change, mine[0].id, p.Body()); err != nil {
			return Outcome{}, fmt.Errorf("edit comment: %w", err)
		}
		out.Action = Edited
	}
	return out, f.replace(ctx, change, mine[1:], p.Marker)
}

// replace leaves a line of comments that two runs wrote at the same moment.
func (f *Forge) replace(ctx context.Context, change int, extra []note, m Marker) error {
	p := Post{Marker: m, Text: replaced}
	for _, n := range extra {
		if content(n.body) == replaced {
			continue
		}
		if _, err := f.host.setComment(ctx, change, n.id, p.Body()); err != nil {
			return fmt.Errorf("edit comment: %w", err)
		}
	}
	return nil
}

// login is who the token writes as.
func (f *Forge) login(ctx context.Context) (string, error) {
	if f.author != "" {
		return f.author, nil
	}
	name, err := f.host.login(ctx)
	if err != nil {
		return "", fmt.Errorf("ask who the token belongs to: %w", err)
	}
	f.author = name
	return name, nil
}
