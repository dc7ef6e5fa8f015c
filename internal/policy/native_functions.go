package policy

import (
	"encoding/json"
	"fmt"
	"iter"
	"net"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gobwas/glob"
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// natives are the functions of the shipped library that the engine evaluates in Go, by
// their path below data.govctl.lib. Rules call them for every list and every finding of
// every document, and OPA takes several times as long for a list. The Rego in
// policies/govctl/lib says what they mean; any other OPA runs that, and
// TestNativesSayWhatRegoSays holds the two against each other.
var natives = map[string]native{
	"fields.of":         three(fieldOf),
	"hosts.ordinary":    one(ordinaryHosts),
	"lists.all_folded":  one(allFolded),
	"lists.common":      two(common),
	"lists.folded":      one(folded),
	"lists.globbed":     long(globbed),
	"lists.lacking":     two(lacking),
	"lists.mentioned":   long(mentioned),
	"lists.only_texts":  one(onlyTexts),
	"lists.problems":    two(listProblems),
	"lists.repeats":     one(repeats),
	"lists.texts":       one(texts),
	"networks.problems": two(networkProblems),
	"paths.cleaned":     one(cleaned),
	"paths.inside":      long(inside),
	"paths.names":       one(names),
	"paths.uncovered":   long(uncovered),
	"pointer.of":        one(pointerOf),
	"say.list":          one(sayList),
	"say.value":         one(sayValue),
}

func one(f func(a *ast.Term) (*ast.Term, error)) native {
	return native{1, false, func(_ topdown.Cancel, args []*ast.Term) (*ast.Term, error) { return f(args[0]) }}
}

func two(f func(a, b *ast.Term) (*ast.Term, error)) native {
	return native{2, false, func(_ topdown.Cancel, args []*ast.Term) (*ast.Term, error) { return f(args[0], args[1]) }}
}

// long is a function that may take its time, and so looks whether it is to stop.
func long(f func(stop topdown.Cancel, a, b *ast.Term) (*ast.Term, error)) native {
	return native{2, true, func(stop topdown.Cancel, args []*ast.Term) (*ast.Term, error) { return f(stop, args[0], args[1]) }}
}

// stopped is how a built-in function ends that was told to stop, nil if it was not.
func stopped(stop topdown.Cancel) error {
	if stop == nil || !stop.Cancelled() {
		return nil
	}
	return topdown.Halt{Err: &topdown.Error{Code: topdown.CancelErr, Message: "stopped before it had finished"}}
}

func three(f func(a, b, c *ast.Term) (*ast.Term, error)) native {
	return native{3, false, func(_ topdown.Cancel, args []*ast.Term) (*ast.Term, error) { return f(args[0], args[1], args[2]) }}
}

// operandError is what built-in functions say of an operand of the wrong type.
func operandError(want string, got *ast.Term) error {
	return fmt.Errorf("operand must be %s but got %s", want, ast.ValueName(got.Value))
}

// values are what `some x in t` goes through, numbered.
func values(t *ast.Term) iter.Seq2[int, *ast.Term] {
	return func(yield func(int, *ast.Term) bool) {
		i := -1
		next := func(e *ast.Term) bool { i++; return !yield(i, e) }
		switch v := t.Value.(type) {
		case *ast.Array:
			v.Until(next)
		case ast.Set:
			v.Until(next)
		case ast.Object:
			v.Until(func(_, e *ast.Term) bool { return next(e) })
		}
	}
}

// listed are the texts of a list with their places; of anything else there are none.
func listed(t *ast.Term) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		list, ok := t.Value.(*ast.Array)
		if !ok {
			return
		}
		for i := range list.Len() {
			if s, ok := list.Elem(i).Value.(ast.String); ok && !yield(i, string(s)) {
				return
			}
		}
	}
}

// fieldOf is fields.of.
func fieldOf(value, path, missing *ast.Term) (*ast.Term, error) {
	if _, ok := value.Value.(ast.Object); !ok {
		return missing, nil
	}
	list, ok := path.Value.(*ast.Array)
	if !ok {
		list = ast.NewArray(path)
	}
	for _, name := range values(ast.NewTerm(list)) {
		if value = value.Get(name); value == nil {
			return missing, nil
		}
	}
	return value, nil
}

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

// onlyTexts is lists.only_texts.
func onlyTexts(t *ast.Term) (*ast.Term, error) {
	if areTexts(t) {
		return ast.InternedTerm(true), nil
	}
	return nil, nil
}

func areTexts(t *ast.Term) bool {
	list, ok := t.Value.(*ast.Array)
	if !ok || list.Len() == 0 {
		return false
	}
	for i := range list.Len() {
		if _, ok := list.Elem(i).Value.(ast.String); !ok {
			return false
		}
	}
	return true
}

// texts is lists.texts.
func texts(t *ast.Term) (*ast.Term, error) {
	if areTexts(t) {
		return t, nil
	}
	out := []*ast.Term{}
	for i := range listed(t) {
		out = append(out, t.Value.(*ast.Array).Elem(i))
	}
	return ast.ArrayTerm(out...), nil
}

// folded is lists.folded.
func folded(t *ast.Term) (*ast.Term, error) {
	s, ok := textOf(t)
	if !ok {
		return nil, nil
	}
	if f := fold(s); f != s {
		return ast.StringTerm(f), nil
	}
	return t, nil
}

func fold(s string) string {
	if isFolded(s) {
		return s
	}
	var b strings.Builder
	space := false
	for _, r := range strings.ToLower(s) {
		if strings.ContainsRune("\t\n\f\r ", r) {
			space = true
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String())
}

// isFolded is false when there may be something to fold.
func isFolded(s string) bool {
	last := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' || c == ' ' && last == ' ' {
			return false
		}
		last = c
	}
	return last != ' ' || s == ""
}

// allFolded is lists.all_folded.
func allFolded(t *ast.Term) (*ast.Term, error) {
	out, changed := []*ast.Term{}, false
	for _, e := range values(t) {
		f, _ := folded(e)
		if changed = changed || f != e; f != nil {
			out = append(out, f)
		}
	}
	if _, isList := t.Value.(*ast.Array); isList && !changed {
		return t, nil
	}
	return ast.ArrayTerm(out...), nil
}

// common is lists.common.
func common(a, b *ast.Term) (*ast.Term, error) {
	out := ast.NewSet()
	if !areTexts(a) || !areTexts(b) {
		known := ast.NewSet()
		for _, e := range values(b) {
			known.Add(e)
		}
		for _, e := range values(a) {
			if known.Contains(e) {
				out.Add(e)
			}
		}
		return ast.NewTerm(out), nil
	}
	known := make(map[string]bool, b.Value.(*ast.Array).Len())
	for _, s := range listed(b) {
		known[s] = true
	}
	for _, s := range listed(a) {
		if known[s] {
			out.Add(ast.StringTerm(s))
		}
	}
	return ast.NewTerm(out), nil
}

// globbed is lists.globbed.
func globbed(stop topdown.Cancel, t, patterns *ast.Term) (*ast.Term, error) {
	out := ast.NewSet()
	for _, p := range values(patterns) {
		if err := stopped(stop); err != nil {
			return nil, err
		}
		var matches func(string) bool
		for i, s := range listed(t) {
			if matches == nil {
				pattern, ok := textOf(p)
				if !ok {
					return nil, operandError("string", p)
				}
				var err error
				if matches, err = matcher(pattern); err != nil {
					return nil, err
				}
			}
			if matches(s) {
				out.Add(ast.InternedTerm(i))
			}
		}
	}
	return ast.NewTerm(out), nil
}

// matcher reads a glob pattern, the ordinary ones without compiling them.
func matcher(pattern string) (func(string) bool, error) {
	part := strings.Trim(pattern, "*")
	if strings.ContainsAny(part, `*?[]{}\,!`) {
		g, err := glob.Compile(pattern)
		if err != nil {
			return nil, err
		}
		return g.Match, nil
	}
	before, behind := strings.HasPrefix(pattern, "*"), strings.HasSuffix(pattern, "*")
	return func(s string) bool {
		switch {
		case before && behind:
			return strings.Contains(s, part)
		case before:
			return strings.HasSuffix(s, part)
		case behind:
			return strings.HasPrefix(s, part)
		}
		return s == part
	}, nil
}

// lacking is lists.lacking.
func lacking(t, wanted *ast.Term) (*ast.Term, error) {
	missing := map[string][]*ast.Term{}
	out := ast.NewSet()
	for _, e := range values(wanted) {
		if s, ok := textOf(e); ok {
			missing[fold(s)] = append(missing[fold(s)], e)
		} else {
			out.Add(e)
		}
	}
	for _, e := range values(t) {
		if s, ok := textOf(e); ok {
			delete(missing, fold(s))
		}
	}
	for _, same := range missing {
		for _, e := range same {
			out.Add(e)
		}
	}
	return ast.NewTerm(out), nil
}

// mentioned is lists.mentioned.
func mentioned(stop topdown.Cancel, t, words *ast.Term) (*ast.Term, error) {
	size := 0
	for _, s := range listed(t) {
		size += len(s) + 1
	}
	var lines strings.Builder
	lines.Grow(size)
	separator := ""
	for _, s := range listed(t) {
		lines.WriteString(separator)
		lines.WriteString(s)
		separator = "\x00"
	}
	text := strings.ToLower(lines.String())
	var held pairs
	held.add(text)
	out := ast.NewSet()
	for _, w := range values(words) {
		if err := stopped(stop); err != nil {
			return nil, err
		}
		word, ok := textOf(w)
		if !ok {
			return nil, operandError("string", w)
		}
		if held.mayHold(word) && strings.Contains(text, word) {
			out.Add(w)
		}
	}
	return ast.NewTerm(out), nil
}

// pairs are the pairs of neighboring bytes of a text, or others with the same place. Most
// words have one that the text lacks, which takes far less time to see than to look for
// the word.
type pairs [64]uint64

func (p *pairs) add(text string) {
	for i := 1; i < len(text); i++ {
		word, bit := placeOf(text[i-1], text[i])
		p[word] |= bit
	}
}

func (p *pairs) mayHold(word string) bool {
	for i := 1; i < len(word); i++ {
		if word, bit := placeOf(word[i-1], word[i]); p[word]&bit == 0 {
			return false
		}
	}
	return true
}

func placeOf(a, b byte) (word, bit uint64) {
	place := uint64(a)<<6 ^ uint64(b)
	return place >> 6 % 64, 1 << (place % 64)
}

// repeats is lists.repeats.
func repeats(t *ast.Term) (*ast.Term, error) {
	out := ast.NewSet()
	list, ok := t.Value.(*ast.Array)
	if !ok {
		return ast.NewTerm(out), nil
	}
	last := make(map[string]int, list.Len())
	for later, s := range listed(t) {
		f := fold(s)
		if earlier, again := last[f]; again {
			out.Add(ast.ArrayTerm(ast.InternedTerm(later), ast.InternedTerm(earlier)))
		}
		last[f] = later
	}
	return ast.NewTerm(out), nil
}

// listProblems is lists.problems.
func listProblems(value, at *ast.Term) (*ast.Term, error) {
	if areTexts(value) {
		return ast.InternedEmptySet, nil
	}
	segments, ok := at.Value.(*ast.Array)
	if !ok {
		return nil, operandError("array", at)
	}
	out := ast.NewSet()
	problem := func(at *ast.Term, format string, args ...any) error {
		path, err := pointerOf(at)
		out.Add(ast.ObjectTerm([2]*ast.Term{pathName, path}, [2]*ast.Term{messageName, ast.StringTerm(fmt.Sprintf(format, args...))}))
		return err
	}
	var names []string
	for i, segment := range values(at) {
		name, ok := textOf(segment)
		if !ok && i > 0 {
			return nil, operandError("string", segment)
		}
		names = append(names, name)
	}
	name := strings.Join(names[min(1, len(names)):], ".")
	if _, ok := value.Value.(*ast.Array); !ok {
		said, err := sayValue(value)
		if err != nil {
			return nil, err
		}
		err = problem(at, "%v is %v, not a list, so it cannot be judged", name, string(said.Value.(ast.String)))
		return ast.NewTerm(out), err
	}
	for i, item := range values(value) {
		if _, ok := textOf(item); ok {
			continue
		}
		said, err := sayValue(item)
		if err != nil {
			return nil, err
		}
		err = problem(ast.NewTerm(segments.Append(ast.InternedTerm(i))), "entry %v of %v is %v, not a text, so it cannot be judged", i, name, string(said.Value.(ast.String)))
		if err != nil {
			return nil, err
		}
	}
	return ast.NewTerm(out), nil
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

// pointerOf is pointer.of.
func pointerOf(t *ast.Term) (*ast.Term, error) {
	segments, ok := t.Value.(*ast.Array)
	if !ok {
		return nil, operandError("array", t)
	}
	var b strings.Builder
	for i := range segments.Len() {
		text := shown(segments.Elem(i))
		if strings.ContainsAny(text, "~/") {
			text = strings.ReplaceAll(strings.ReplaceAll(text, "~", "~0"), "/", "~1")
		}
		b.WriteByte('/')
		b.WriteString(text)
	}
	return ast.StringTerm(b.String()), nil
}

// shown is what sprintf makes of a value for %v.
func shown(t *ast.Term) string {
	switch v := t.Value.(type) {
	case ast.String:
		return string(v)
	case ast.Number:
		if strings.ContainsAny(string(v), ".eE") {
			if f, ok := v.Float64(); ok {
				return fmt.Sprint(f)
			}
		}
		return string(v)
	}
	return t.Value.String()
}

// sayList is say.list.
func sayList(t *ast.Term) (*ast.Term, error) {
	var all []string
	for _, e := range values(t) {
		said, err := sayValue(e)
		if err != nil {
			return nil, err
		}
		all = append(all, string(said.Value.(ast.String)))
	}
	slices.Sort(all)
	if more := len(all) - 10; more > 0 {
		all = append(all[:10], "and "+strconv.Itoa(more)+" more")
	}
	return ast.StringTerm(strings.Join(all, ", ")), nil
}

// sayValue is say.value.
func sayValue(t *ast.Term) (*ast.Term, error) {
	text, err := "", error(nil)
	switch v := t.Value.(type) {
	case ast.Null:
		text = "null"
	case ast.String:
		text, err = sayText(string(v))
	case *ast.Array:
		text = "a list of " + strconv.Itoa(v.Len())
	case ast.Object:
		text = "an object"
		if redacted := v.Get(ast.InternedTerm("redacted")); redacted != nil && redacted.Equal(ast.InternedTerm(true)) {
			text = "a hidden value"
		}
	default:
		if err = smallTexts([]*ast.Term{t}); err == nil {
			text, err = written(t.Value)
		}
	}
	if err != nil {
		return nil, err
	}
	return ast.StringTerm(text), nil
}

func written(v ast.Value) (string, error) {
	plain, err := ast.JSON(v)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(plain)
	return string(text), err
}

// sayText quotes a text, cut if it is long.
func sayText(s string) (string, error) {
	ellipsis := ""
	if len(s) > 80 && utf8.RuneCountInString(s) > 80 {
		s, ellipsis = string([]rune(s)[:77]), "…"
	}
	if !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune(`"\<>&`, r) }) {
		return `"` + s + `"` + ellipsis, nil
	}
	text, err := json.Marshal(s)
	return string(text) + ellipsis, err
}
