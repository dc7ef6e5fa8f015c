package policy

import (
	"fmt"
	"iter"

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
