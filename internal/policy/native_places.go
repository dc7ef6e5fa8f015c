package policy

import (
	"iter"
	"net"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// ordinaryHosts is hosts.ordinary.
func ordinaryHosts(t *ast.Term) (*ast.Term, error) {
	if !areTexts(t) {
		return nil, nil
	}
	for _, s := range listed(t) {
		name := strings.TrimPrefix(s, "*.")
		if !strings.Contains(name, ".") || name[0] == '.' || name[len(name)-1] == '.' || !hostLetters(name) {
			return nil, nil
		}
	}
	return ast.InternedTerm(true), nil
}

func hostLetters(name string) bool {
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '.' && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// networkProblems is networks.problems.
func networkProblems(entries, least *ast.Term) (*ast.Term, error) {
	out := ast.NewObject()
	for i, entry := range listed(entries) {
		network, family := entry, "ipv4"
		if strings.Contains(entry, ":") {
			family = "ipv6"
		}
		shortest := least.Get(ast.InternedTerm(family))
		if shortest == nil {
			continue
		}
		if !strings.Contains(entry, "/") {
			network += map[string]string{"ipv4": "/32", "ipv6": "/128"}[family]
		}
		reason := ""
		_, parsed, err := net.ParseCIDR(network)
		if _, length, _ := strings.Cut(network, "/"); err != nil || len(length) > 1 && length[0] == '0' {
			reason = "not an address or a network in CIDR form"
		} else if ones, _ := parsed.Mask.Size(); ast.IntNumberTerm(ones).Value.Compare(shortest.Value) < 0 {
			reason = "wider than a /" + shown(shortest)
		} else {
			continue
		}
		said, err := sayText(entry)
		if err != nil {
			return nil, err
		}
		out.Insert(ast.InternedTerm(i), ast.StringTerm(said+" is "+reason))
	}
	return ast.NewTerm(out), nil
}

// cleaned is paths.cleaned.
func cleaned(t *ast.Term) (*ast.Term, error) { return eachText(t, cleanPath), nil }

// names is paths.names.
func names(t *ast.Term) (*ast.Term, error) { return eachText(t, lastName), nil }

// eachText is a list with f of its texts; what is no text stays as it is.
func eachText(t *ast.Term, f func(string) string) *ast.Term {
	out, changed := []*ast.Term{}, false
	for _, e := range values(t) {
		if s, ok := textOf(e); ok {
			if now := f(s); now != s {
				e, changed = ast.StringTerm(now), true
			}
		}
		out = append(out, e)
	}
	if _, isList := t.Value.(*ast.Array); isList && !changed {
		return t
	}
	return ast.ArrayTerm(out...)
}

// cleanPath is paths.clean.
func cleanPath(s string) string {
	s = strings.TrimRight(strings.TrimSpace(s), "/*")
	if s == "" {
		return "/"
	}
	if strings.Contains(s, "$") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "${HOME}", "~"), "$HOME", "~")
	}
	return s
}

func lastName(s string) string {
	s = strings.TrimSuffix(strings.TrimSpace(s), "/")
	return s[strings.LastIndexByte(s, '/')+1:]
}

// inside is paths.inside.
func inside(stop topdown.Cancel, written, directories *ast.Term) (*ast.Term, error) {
	known := map[string]*ast.Term{}
	for _, d := range values(eachText(directories, cleanPath)) {
		if s, ok := textOf(d); ok {
			known[s] = d
		}
	}
	out := ast.NewObject()
	for i, s := range listed(eachText(written, cleanPath)) {
		above := ast.NewSet()
		for path := range lineage(cleanPath(s)) {
			if err := stopped(stop); err != nil {
				return nil, err
			}
			if d := known[path]; d != nil {
				above.Add(d)
			}
		}
		if above.Len() > 0 {
			out.Insert(ast.InternedTerm(i), ast.NewTerm(above))
		}
	}
	return ast.NewTerm(out), nil
}

// lineage is a clean path and every directory above it, from the inside out.
func lineage(path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for yield(path) && path != "/" {
			i := strings.LastIndexByte(path, '/')
			if i < 0 {
				return
			}
			if path = path[:i]; path == "" {
				path = "/"
			}
		}
	}
}

// uncovered is paths.uncovered.
func uncovered(stop topdown.Cancel, wanted, value *ast.Term) (*ast.Term, error) {
	var covered []string
	for _, s := range listed(eachText(value, cleanPath)) {
		covered = append(covered, strings.TrimSuffix(s, "/")+"/")
	}
	out := ast.NewSet()
	for _, w := range values(wanted) {
		if err := stopped(stop); err != nil {
			return nil, err
		}
		path, ok := textOf(w)
		if !ok {
			return nil, operandError("string", w)
		}
		if !slices.ContainsFunc(covered, func(c string) bool { return strings.HasPrefix(path+"/", c) }) {
			out.Add(w)
		}
	}
	return ast.NewTerm(out), nil
}
