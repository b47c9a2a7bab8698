package role

import (
	"go/types"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/model"
)

// Of returns the roles of a declared function: by its name, its signature and
// its documentation.
func (x *Index) Of(fn *types.Func) Roles {
	r := Named(fn) | said(fn.Name(), x.Docs[fn])
	if saysHeld(x.heads[fn]) {
		r |= CallerLocks
	}
	if saysOrdered(x.heads[fn]) {
		r |= Ordered
	}
	if fn.Exported() && exportedReceiver(fn) && fn.Pkg() != nil && fn.Pkg().Name() != "main" {
		r |= Public
	}
	if fn.Exported() && fn.Signature().Recv() != nil {
		r |= Method
	}
	if x.support[fn] {
		r |= TestSupport
	}
	if Serves(fn) {
		r |= Handler
	}
	if registers(fn.Signature()) {
		r |= Setter | Registration
	}
	return r
}

// Serves reports whether a declared function is one that servers call, in a goroutine for each request.
func Serves(fn *types.Func) bool {
	return model.HandlerOf(fn.Signature(), fn.Pkg()) != nil || serviceMethod(fn) || model.Collects(fn)
}

// registers recognises the methods that give a server, a router say, the handler of some requests:
// they get the handler, nothing of a request, and have nothing to give but an error.
func registers(sig *types.Signature) bool {
	if sig.Recv() == nil || shapeOf(sig)&errorOnly == 0 {
		return false
	}
	handlers := false
	for p := range sig.Params().Variables() {
		if f, ok := p.Type().Underlying().(*types.Signature); ok && model.HandlerOf(f, nil) != nil || model.ServesHTTP(p.Type()) {
			handlers = true
		} else if model.OfRequest(p.Type()) {
			return false
		}
	}
	return handlers
}

// OfLiteral returns the roles of a function literal that stands in a function
// with the roles outer: it does a part of what that function is for, at
// another time perhaps, under other locks. It is there for tests if the variable in which alone it is kept is.
func OfLiteral(sig *types.Signature, in *types.Package, outer Roles, kept string) Roles {
	r := outer&(Registration|Preparer|ForTests|TestSupport) | named(kept, shapeOf(sig))&ForTests
	if model.HandlerOf(sig, in) != nil {
		r |= Handler
	}
	return r
}

// OfType returns what the documentation of a type or a field says. That a type is to be safe for
// concurrent use one day tells nothing of who uses it by now.
func OfType(doc string) Roles {
	says := said("", doc)
	if says.Has(Wished) {
		says &^= Concurrent
	}
	return says & (Concurrent | NotConcurrent)
}

func exportedReceiver(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	if recv == nil {
		return true
	}
	n := receiver(recv.Type())
	return n != nil && n.Obj().Exported()
}

func receiver(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}

// serviceMethod recognises the methods of a gRPC server by the type that its
// implementation must embed, UnimplementedXServer.
func serviceMethod(fn *types.Func) bool {
	sig := fn.Signature()
	if sig.Recv() == nil || sig.Params().Len() == 0 || !fn.Exported() {
		return false
	}
	n := receiver(sig.Recv().Type())
	if n == nil {
		return false
	}
	st, ok := n.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range st.NumFields() {
		if f := st.Field(i); f.Embedded() && unimplemented(f.Name()) {
			obj, _, _ := types.LookupFieldOrMethod(f.Type(), true, fn.Pkg(), fn.Name())
			return obj != nil
		}
	}
	return false
}

func unimplemented(name string) bool {
	service, ok := strings.CutPrefix(name, "Unimplemented")
	return ok && strings.HasSuffix(service, "Server") && service != "Server"
}
