package plan

import "github.com/govctl/govctl/internal/org"

// location is where a declared computer was found.
type location struct {
	live       *org.Computer // nil: it does not exist
	pinned     bool          // the id stands in the configuration
	gone       bool          // the pinned id leads nowhere
	taken      *org.Computer // another computer has the wanted name
	former     []string      // former names that exist
	unreadable bool
	unanswered bool // a write for it was never answered
}

// locate finds the live computer a declaration means: by id, by name, by former name.
func locate(c org.Computer, in Input) location {
	known := in.Last.Computers[c.Name]
	l := location{pinned: c.ID != "", unanswered: known.Unknown}
	id := c.ID
	if id == "" {
		id = known.ID
	}
	if id != "" {
		live, asked := in.Have.ByID[id]
		switch {
		case !asked:
			return location{unreadable: true}
		case live != nil:
			l.live = live
			if live.Name == c.Name {
				return l
			}
			other, asked := in.Have.ByName[c.Name]
			if !asked {
				return location{unreadable: true} // a rename needs to know that the name is free (T15)
			}
			if other != nil && other.ID != live.ID {
				l.taken = other
			}
			return l
		case l.pinned:
			l.gone = true
			return l
		}
	}
	live, asked := in.Have.ByName[c.Name]
	if !asked {
		return location{unreadable: true}
	}
	if live != nil {
		l.live = live
		return l
	}
	for _, name := range c.Previously {
		former, asked := in.Have.ByName[name]
		if !asked {
			return location{unreadable: true}
		}
		if former != nil {
			l.live = former
			l.former = append(l.former, name)
		}
	}
	return l
}
