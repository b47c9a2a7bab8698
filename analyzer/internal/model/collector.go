package model

import "go/types"

// metricsPackage is that of Prometheus' client library.
const metricsPackage = "github.com/prometheus/client_golang/prometheus"

// Collects reports whether a method is the one by which Prometheus' registry collects metrics: of its Collector,
// "this method may be called concurrently" (collector.go). Each scrape does, in the goroutine of a request.
func Collects(fn *types.Func) bool {
	sig := fn.Signature()
	if fn.Name() != "Collect" || sig.Recv() == nil || sig.Params().Len() != 1 || sig.Results().Len() > 0 || sig.Variadic() {
		return false
	}
	ch, ok := sig.Params().At(0).Type().Underlying().(*types.Chan)
	if !ok || spell(ch.Elem()) != metricsPackage+".Metric" {
		return false
	}
	described, _, _ := types.LookupFieldOrMethod(sig.Recv().Type(), true, fn.Pkg(), "Describe")
	_, ok = described.(*types.Func)
	return ok && unversioned(fn.Pkg().Path()) != metricsPackage
}
