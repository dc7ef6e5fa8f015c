package policy

import (
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/topdown"
	"github.com/open-policy-agent/opa/v1/types"
)

// native is a function of the shipped library in Go. It returns nil for undefined, and an
// error where a built-in function that the Rego calls would.
type native struct {
	arity int
	long  bool // it looks whether it is to stop
	eval  func(stop topdown.Cancel, args []*ast.Term) (*ast.Term, error)
}

const (
	// libraryPackage is where the functions of the shipped library are.
	libraryPackage = "data.govctl.lib."
	// nativePrefix begins the names of native functions in compiled rules. The Capabilities
	// do not have them, so nobody can write such a call.
	nativePrefix = "govctl_"
)

func nativeName(path string) string { return nativePrefix + strings.ReplaceAll(path, ".", "_") }

// registerNatives makes the native functions known to OPA, whose registry belongs to the
// process.
var registerNatives = sync.OnceFunc(func() {
	for path, n := range natives {
		args := make([]types.Type, n.arity)
		for i := range args {
			args[i] = types.A
		}
		name := nativeName(path)
		ast.RegisterBuiltin(&ast.Builtin{Name: name, Decl: types.NewFunction(args, types.A), CanSkipBctx: !n.long})
		topdown.RegisterBuiltinFunc(name, func(ctx topdown.BuiltinContext, args []*ast.Term, iter func(*ast.Term) error) error {
			t, err := n.eval(ctx.Cancel, args)
			if err != nil || t == nil {
				return err
			}
			return iter(t)
		})
	}
})

// useNatives is a stage of the compiler, after its checks. It lets compiled rules call
// native functions instead of those of the shipped library, and puts the values of
// parameters where they ask for them.
func (e *Engine) useNatives(c *ast.Compiler) *ast.Error {
	operators := map[string]*ast.Term{}
	for path := range natives {
		operators[libraryPackage+path] = ast.NewTerm(ast.Ref{ast.VarTerm(nativeName(path))})
	}
	for _, m := range c.Modules {
		ast.WalkExprs(m, func(x *ast.Expr) bool {
			if terms, ok := x.Terms.([]*ast.Term); ok {
				function := terms[0].Value.String()
				if operator := operators[function]; operator != nil {
					terms[0] = operator
				} else if value := e.parameter(function, terms[1:]); value != nil {
					x.Terms = []*ast.Term{ast.NewTerm(ast.Equality.Ref()), terms[2], value}
				}
			}
			return false
		})
	}
	return nil
}

// parameter is the value that a call asks for, nil if it is no call for a parameter that
// there is.
func (e *Engine) parameter(function string, args []*ast.Term) *ast.Term {
	if function != parameterFunction || len(args) != 2 {
		return nil
	}
	name, _ := textOf(args[0])
	value, known := e.params[name]
	if !known {
		return nil
	}
	term, err := ast.InterfaceToValue(value)
	if err != nil {
		return nil // what the store makes of it is the store's to say
	}
	return ast.NewTerm(term)
}
