package policy

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gobwas/glob"
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/topdown"
)

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
