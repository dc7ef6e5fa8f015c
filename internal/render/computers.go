package render

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/govctl/govctl/internal/plan"
)

// blockedNames is how many computers blocked for the same reason are named.
const blockedNames = 6

// blocked are the computers for which nothing can be sent, all for the same reason.
type blocked struct {
	why       string
	computers []plan.ComputerChange
}

// byBlocked splits computers into those for which nothing can be sent, by reason, and
// the others.
func byBlocked(all []plan.ComputerChange) (none []blocked, others []plan.ComputerChange) {
	index := map[string]int{}
	for _, c := range all {
		if c.Action != plan.ActionBlocked {
			others = append(others, c)
			continue
		}
		i, ok := index[c.Detail]
		if !ok {
			i = len(none)
			index[c.Detail] = i
			none = append(none, blocked{why: c.Detail})
		}
		none[i].computers = append(none[i].computers, c)
	}
	return none, others
}

// named gives the first most names and how many are not among them.
func (b blocked) named(most int) (names []string, more int) {
	for _, c := range b.computers[:min(len(b.computers), most)] {
		names = append(names, c.Name)
	}
	return names, len(b.computers) - len(names)
}

// computerLines are the details of one computer.
func computerLines(c plan.ComputerChange) []string {
	var out []string
	if c.Action == plan.ActionCreate {
		out = append(out, "provider = "+Clean(c.Provider))
	}
	for _, f := range c.Fields {
		if c.Action == plan.ActionCreate {
			out = append(out, Clean(f.Name)+" = "+Clean(f.After))
		} else {
			out = append(out, fieldLine(f))
		}
	}
	if c.OnCreate != nil {
		out = append(out, onCreateLine(c)...)
	}
	if c.Detail != "" {
		out = append(out, reason(c.Detail))
	}
	return out
}

// onCreateLine is what only a create can send.
func onCreateLine(c plan.ComputerChange) []string {
	var parts []string
	if n := len(c.OnCreate.Repos); n > 0 {
		parts = append(parts, count(n, "repo"))
	}
	if a := c.OnCreate.AutoInstallDeps; a != nil {
		parts = append(parts, fmt.Sprintf("auto_install_deps = %t", *a))
	}
	if s := c.OnCreate.ServiceAccountID; s != "" {
		parts = append(parts, "service_account_id = "+Clean(s))
	}
	if c.OnCreate.Source != nil {
		parts = append(parts, "source = "+jsonValue(c.OnCreate.Source))
	}
	if len(parts) == 0 {
		return nil
	}
	return []string{strings.Join(parts, ", ") + " (sent at creation; cannot be compared)"}
}

// fieldLine says how one field changes.
func fieldLine(f plan.Field) string {
	before := "(none)"
	if f.Before != "" {
		before = strconv.Quote(Clean(f.Before))
	}
	return Clean(f.Name) + ": " + before + " -> " + strconv.Quote(Clean(f.After))
}

func fieldsLine(fields []plan.Field) string {
	parts := make([]string, len(fields))
	for i, f := range fields {
		parts[i] = fieldLine(f)
	}
	return strings.Join(parts, ", ")
}
