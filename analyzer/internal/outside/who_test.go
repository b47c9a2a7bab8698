package outside

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// threaded is a module whose main function starts one goroutine, and a loop a second.
func threaded(more ...Run) *Solution {
	r := &Record{
		Path:  "app",
		Funcs: map[Name]Decl{"app.main": {Short: "main"}, "app.a": {Short: "a"}, "app.b": {Short: "b"}, "app.get": {Short: "get"}, "app.(T).Start": {Short: "Start", Exported: true}, "app.(T).loop": {Short: "loop"}},
		Refs:  []Ref{{To: "app.main", Loose: true}},
		Starts: map[Name]Start{
			"go one": {Owner: "app.main"}, "go many": {Owner: "app.main", Many: true}, "go own": {Owner: "app.(T).Start", Serves: true},
			"go late": {Owner: "app.a"}, "go joined": {Owner: "app.a", Awaited: true, Over: 5},
		},
		Runs: append([]Run{
			{From: "app.main", To: "go one", Own: true}, {From: "go one", To: "app.a"},
			{From: "app.main", To: "go many", Own: true, Looped: true}, {From: "go many", To: "app.b"},
			{From: "app.main", To: "app.(T).Start", Looped: true}, {From: "app.(T).Start", To: "go own", Own: true}, {From: "go own", To: "app.(T).loop", Own: true},
		}, more...),
	}
	for name := range r.Funcs {
		r.Refs = append(r.Refs, Ref{From: "app.main", To: name})
	}
	return Solve([]*Record{r}, all{}, nil)
}

func TestSole(t *testing.T) {
	for name, c := range map[string]struct {
		more []Run
		fns  []Name
		want bool
	}{
		"a goroutine that main starts":        {[]Run{{From: "app.a", To: "app.get"}}, []Name{"app.get"}, true},
		"those of a loop":                     {[]Run{{From: "app.b", To: "app.get"}}, []Name{"app.get"}, false},
		"two":                                 {[]Run{{From: "app.a", To: "app.get"}, {From: "app.b", To: "app.get"}}, []Name{"app.get"}, false},
		"two functions, two goroutines":       {[]Run{{From: "app.a", To: "app.get"}}, []Name{"app.get", "app.b"}, false},
		"main alone":                          {[]Run{{From: "app.main", To: "app.get"}}, []Name{"app.get"}, true},
		"an unknown caller":                   {[]Run{{From: "app.a", To: "app.get"}, {From: Anyone, To: "app.get"}}, []Name{"app.get"}, false},
		"no caller":                           {nil, []Name{"app.get"}, false},
		"recursion":                           {[]Run{{From: "app.a", To: "app.get"}, {From: "app.get", To: "app.get"}}, []Name{"app.get"}, true},
		"one for each object":                 {nil, []Name{"app.(T).loop"}, true},
		"one for each object, what it owns":   {[]Run{{From: "app.(T).loop", To: "app.get", Own: true}}, []Name{"app.get"}, true},
		"one for each object, what others do": {[]Run{{From: "app.(T).loop", To: "app.get"}}, []Name{"app.get"}, false},
		"main, before the goroutine begins":   {[]Run{{From: "app.a", To: "app.get"}, {From: "app.main", To: "app.get", Order: -1}}, []Name{"app.get"}, true},
		"main, after the goroutine begins":    {[]Run{{From: "app.a", To: "app.get"}, {From: "app.main", To: "app.get", Order: 1}}, []Name{"app.get"}, false},
		"initialisation and a goroutine":      {[]Run{{From: "app.a", To: "app.get"}, {From: "", To: "app.get"}}, []Name{"app.get"}, true},
		"and one that it begins":              {[]Run{{From: "", To: "go late"}, {From: "go late", To: "app.get"}, {From: "app.main", To: "app.get"}}, []Name{"app.get"}, false},
		"main, nothing tells when":            {[]Run{{From: "app.a", To: "app.get"}, {From: "app.main", To: "app.get"}}, []Name{"app.get"}, false},
		"main itself":                         {[]Run{{From: "app.a", To: "app.get"}}, []Name{"app.get", "app.main"}, false},
		"main itself, before":                 {[]Run{{From: "app.a", To: "app.get"}, {From: "app.main", To: "app.main@0.1", Order: -1}}, []Name{"app.get", "app.main@0.1"}, true},
		"main itself, after":                  {[]Run{{From: "app.a", To: "app.get"}, {From: "app.main", To: "app.main@0.1", Order: 1}}, []Name{"app.get", "app.main@0.1"}, false},
		"main itself, no record of it":        {[]Run{{From: "app.a", To: "app.get"}}, []Name{"app.get", "app.main@0.1"}, false},
		"one for each object, private before": {[]Run{{From: "app.(T).loop", To: "app.get", Own: true}, {From: "app.main", To: "app.get", Own: true, Private: true, Looped: true}}, []Name{"app.get"}, true},
		"one for each object, and its maker":  {[]Run{{From: "app.(T).loop", To: "app.get", Own: true}, {From: "app.main", To: "app.get", Own: true, Looped: true}}, []Name{"app.get"}, false},
		"private where the goroutine begins":  {[]Run{{From: "app.(T).loop", To: "app.get", Own: true}, {From: "app.(T).Start", To: "app.get", Own: true, Private: true}}, []Name{"app.get"}, true},
		"private before the goroutine begins": {[]Run{{From: "app.(T).loop", To: "app.get", Own: true}, {From: "app.(T).Start", To: "app.get", Own: true}}, []Name{"app.get"}, false},
		"two for an object":                   {[]Run{{From: "app.main", To: "app.(T).Start", Again: true}}, []Name{"app.(T).loop"}, false},
	} {
		if _, ok := threaded(c.more...).View(false).Sole(c.fns); ok != c.want {
			t.Errorf("%s: %t", name, ok)
		}
	}
}

func TestShown(t *testing.T) {
	for name, c := range map[string]struct {
		more []Run
		fns  []Name
		want bool
		// assume is what shows if other modules do not count.
		assume bool
	}{
		"main alone":                {[]Run{{From: "app.main", To: "app.get"}}, []Name{"app.get"}, false, false},
		"a goroutine":               {[]Run{{From: "app.a", To: "app.get"}}, []Name{"app.get"}, true, true},
		"main and a goroutine":      {[]Run{{From: "app.main", To: "app.get"}, {From: "app.a", To: "app.get"}}, []Name{"app.get"}, true, true},
		"an unknown caller":         {[]Run{{From: Anyone, To: "app.get"}}, []Name{"app.get"}, true, false},
		"no caller":                 {nil, []Name{"app.get"}, false, false},
		"no function":               {nil, nil, true, true},
		"what is not declared":      {nil, []Name{"app.other"}, true, false},
		"two, one in a goroutine":   {[]Run{{From: "app.main", To: "app.get"}}, []Name{"app.get", "app.a"}, true, true},
		"through another, in a run": {[]Run{{From: "app.main", To: "app.(T).Start"}, {From: "app.(T).Start", To: "app.get"}}, []Name{"app.get"}, false, false},
	} {
		if ok := threaded(c.more...).View(false).Shown(c.fns); ok != c.want {
			t.Errorf("%s: %t", name, ok)
		}
		if ok := threaded(c.more...).View(true).Shown(c.fns); ok != c.assume {
			t.Errorf("%s, with assume: %t", name, ok)
		}
	}
}

// A further run takes no thread away; the order of the runs does not matter.
func TestWhoLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	fns := []Name{"app.main", "app.a", "app.b", "app.get", "app.(T).Start", "app.(T).loop", "go one", "go own", Anyone}
	for range 500 {
		var runs []Run
		for range r.IntN(6) {
			runs = append(runs, Run{From: fns[r.IntN(len(fns))], To: fns[1+r.IntN(5)], Own: r.IntN(2) == 0, Looped: r.IntN(2) == 0})
		}
		more := append(slices.Clone(runs), Run{From: fns[r.IntN(len(fns))], To: fns[1+r.IntN(5)]})
		before, after := threaded(runs...), threaded(more...)
		r.Shuffle(len(more), func(i, j int) { more[i], more[j] = more[j], more[i] })
		shuffled := threaded(more...)
		for _, fn := range fns[1:6] {
			w, v := before.Who(fn, false), after.Who(fn, false)
			for _, th := range w.Threads {
				if !v.Any && !slices.Contains(v.Threads, th) {
					t.Fatalf("%s: %v becomes %v with %v", fn, w, v, more)
				}
			}
			if u := shuffled.Who(fn, false); u.Any != v.Any || !v.Any && !slices.Equal(u.Threads, v.Threads) || !v.Any && u.Own != v.Own {
				t.Fatalf("%s: another order gives %v, not %v", fn, u, v)
			}
		}
	}
}

func TestOnlyStart(t *testing.T) {
	get := []Name{"app.get"}
	for name, c := range map[string]struct {
		more     []Run
		accesses []Name
		want     bool
	}{
		"main alone":                         {[]Run{{From: "app.main", To: "app.get"}}, get, true},
		"main, in a loop":                    {[]Run{{From: "app.main", To: "app.get", Looped: true, Endless: true}}, get, false},
		"main, in a bounded loop":            {[]Run{{From: "app.main", To: "app.get", Looped: true}}, get, true},
		"no change":                          {nil, get, false},
		"a goroutine":                        {[]Run{{From: "app.main", To: "app.get"}, {From: "app.a", To: "app.get"}}, get, false},
		"an unknown caller":                  {[]Run{{From: "app.main", To: "app.get"}, {From: Anyone, To: "app.get"}}, get, false},
		"before a goroutine that reads":      {[]Run{{From: "app.main", To: "app.get", Order: -1}}, []Name{"app.a"}, true},
		"after a goroutine that reads":       {[]Run{{From: "app.main", To: "app.get", Order: 1}}, []Name{"app.a"}, false},
		"after another goroutine":            {[]Run{{From: "app.main", To: "app.get", Order: 1}}, get, true},
		"in the function that starts them":   {[]Run{{From: "app.main", To: "app.(T).Start"}, {From: "app.(T).Start", To: "app.get", Order: 1}}, []Name{"app.(T).loop"}, false},
		"a goroutine alone":                  {[]Run{{From: "app.a", To: "app.get"}}, get, true},
		"a goroutine, in a loop":             {[]Run{{From: "app.a", To: "app.get", Looped: true, Endless: true}}, get, false},
		"goroutines of a loop":               {[]Run{{From: "app.b", To: "app.get"}}, get, false},
		"a goroutine beside one that reads":  {[]Run{{From: "app.a", To: "app.get"}}, []Name{"app.b"}, false},
		"two goroutines":                     {[]Run{{From: "app.a", To: "app.get"}, {From: "app.main", To: "go late"}, {From: "go late", To: "app.get"}}, get, false},
		"a goroutine that starts the reader": {[]Run{{From: "app.a", To: "app.get", Order: -1}, {From: "app.a", To: "go late"}, {From: "go late", To: "app.(T).loop"}}, []Name{"go late"}, true},
		"a goroutine with a reader before":   {[]Run{{From: "app.a", To: "app.get", Order: 1}, {From: "app.a", To: "go late"}}, []Name{"go late"}, false},
		"a goroutine begun twice":            {[]Run{{From: "app.a", To: "app.get"}, {From: "app.get", To: "go one"}}, get, false},
		"a goroutine with an unknown caller": {[]Run{{From: "app.a", To: "app.get"}, {From: Anyone, To: "app.a"}}, get, false},
		"a goroutine, and main after it":     {[]Run{{From: "app.a", To: "app.get"}, {From: "app.main", To: "app.read", Order: 1}}, []Name{"app.read"}, false},
		"a goroutine, and main before it":    {[]Run{{From: "app.a", To: "app.get"}, {From: "app.main", To: "app.read", Order: -1}}, []Name{"app.read"}, true},
		"a goroutine, and where it starts":   {[]Run{{From: "app.a", To: "app.get"}}, []Name{"app.main"}, false},
		"before, in the one that starts it":  {[]Run{{From: "app.(T).Start", To: "app.get", Order: -1}}, []Name{"app.a"}, false}, // Start runs in a loop
	} {
		if ok := threaded(c.more...).View(true).OnlyStart(get, c.accesses, c.accesses); ok != c.want {
			t.Errorf("%s: %t", name, ok)
		}
	}
	if threaded(Run{From: "app.main", To: "app.get"}).View(true).OnlyStart([]Name{"app.main"}, []Name{"app.a"}, []Name{"app.a"}) {
		t.Error("nothing tells when main itself makes the change")
	}
}

// Of two goroutines that main starts in turn both run; of alternatives one does.
func TestAlternatives(t *testing.T) {
	for _, apart := range []bool{false, true} {
		r := *threaded(Run{From: "app.a", To: "app.get"}).solver.records[0]
		r.Starts["go two"] = Start{Owner: "app.main"}
		r.Runs = append(r.Runs, Run{From: "app.main", To: "go two", Own: true}, Run{From: "go two", To: "app.get"})
		if apart {
			r.Alternatives = map[Pair]bool{PairOf("go two", "go one"): true}
		}
		if _, ok := Solve([]*Record{&r}, all{}, nil).View(false).Sole([]Name{"app.get"}); ok != apart {
			t.Errorf("alternatives %t: one thread: %t", apart, ok)
		}
	}
}
