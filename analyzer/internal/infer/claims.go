package infer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/comment"
)

// ReadClaims returns what documentation, names and signatures say of
// functions.
func ReadClaims(docs *comment.Index) func(*ssa.Function) Claims {
	return func(fn *ssa.Function) Claims {
		var c Claims
		c.Handler = handlerSignature(fn.Signature)
		obj, ok := fn.Object().(*types.Func)
		if !ok {
			return c
		}
		doc := docs.Docs[obj]
		c.CallerLocks = comment.LockedName(obj.Name()) || comment.CallerLocks(doc)
		c.Concurrent = comment.ConcurrentFunc(doc)
		c.Sequential = comment.NotConcurrent(doc)
		c.Public = obj.Exported() && exportedReceiver(obj) && obj.Pkg() != nil && obj.Pkg().Name() != "main"
		c.Method = obj.Exported() && obj.Signature().Recv() != nil
		c.Handler = c.Handler || handlerMethod(obj)
		return c
	}
}

func exportedReceiver(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	if recv == nil {
		return true
	}
	n := named(recv.Type())
	return n != nil && n.Obj().Exported()
}

func named(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}

func isNamed(t types.Type, pkg, name string) bool {
	n := named(t)
	return n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == pkg && n.Obj().Name() == name
}

// handlerSignature recognises func(http.ResponseWriter, *http.Request), which
// servers call from one goroutine for each request.
func handlerSignature(sig *types.Signature) bool {
	ps := sig.Params()
	return ps.Len() == 2 && isNamed(ps.At(0).Type(), "net/http", "ResponseWriter") && isNamed(ps.At(1).Type(), "net/http", "Request")
}

// handlerMethod recognises the service methods of a gRPC server, by the type
// that its implementation must embed, and a controller's Reconcile.
func handlerMethod(fn *types.Func) bool {
	sig := fn.Signature()
	if sig.Recv() == nil || sig.Params().Len() == 0 {
		return false
	}
	if fn.Name() == "Reconcile" && sig.Params().Len() == 2 && isNamed(sig.Params().At(0).Type(), "context", "Context") {
		return true
	}
	n := named(sig.Recv().Type())
	if n == nil || !fn.Exported() {
		return false
	}
	st, ok := n.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		name := f.Name()
		if f.Embedded() && len(name) > 19 && name[:13] == "Unimplemented" && name[len(name)-6:] == "Server" {
			obj, _, _ := types.LookupFieldOrMethod(f.Type(), true, fn.Pkg(), fn.Name())
			return obj != nil
		}
	}
	return false
}
