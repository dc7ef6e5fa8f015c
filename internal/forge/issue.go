package forge

import (
	"context"
	"fmt"
)

// State is what an issue should be.
type State int

// The states of an issue.
const (
	ShouldBeOpen   State = iota
	ShouldBeClosed       // what it was about is settled
	ShouldStay           // nobody knows: an open issue stays open, none is opened
)

// Issue is an issue to be kept.
type Issue struct {
	Post
	Title  string
	State  State
	Labels []string // given when it is opened; people may change them
}

// Issue opens, edits, reopens or closes the issue of a project. A closed one is left
// alone unless it should be open.
func (f *Forge) Issue(ctx context.Context, i Issue) (Outcome, error) {
	author, err := f.login(ctx)
	if err != nil {
		return Outcome{}, err
	}
	var mine *note
	for n, err := range f.host.issues(ctx, author) {
		if err != nil {
			return Outcome{}, fmt.Errorf("list issues: %w", err)
		}
		m, ok := ParseMarker(n.body)
		if !ok || n.author != author || !m.same(i.Marker) {
			continue
		}
		if m.after(i.Marker) {
			return Outcome{Newer, n.link}, nil
		}
		if mine == nil || mine.closed && !n.closed { // an open one is the one people see
			mine = &n
		}
	}
	switch {
	case mine == nil && i.State == ShouldBeOpen:
		n, err := f.host.addIssue(ctx, i.Title, i.Body(), i.Labels)
		if err != nil {
			return Outcome{}, fmt.Errorf("open issue: %w", err)
		}
		return Outcome{Created, n.link}, nil
	case mine == nil || mine.closed && i.State != ShouldBeOpen:
		return Outcome{Action: Nothing}, nil
	case i.State == ShouldStay:
		return Outcome{Kept, mine.link}, nil
	}
	return f.settle(ctx, *mine, i)
}

// settle edits an issue that is there.
func (f *Forge) settle(ctx context.Context, n note, i Issue) (Outcome, error) {
	out, edit := Outcome{Edited, n.link}, issueEdit{body: i.Body()}
	switch {
	case i.State == ShouldBeClosed:
		out.Action, edit.close = Closed, true
	case n.closed:
		out.Action, edit.reopen = Reopened, true
	case content(n.body) == content(i.Body()):
		return Outcome{Unchanged, n.link}, nil
	}
	if _, err := f.host.setIssue(ctx, n.id, edit); err != nil {
		return Outcome{}, fmt.Errorf("edit issue: %w", err)
	}
	return out, nil
}
