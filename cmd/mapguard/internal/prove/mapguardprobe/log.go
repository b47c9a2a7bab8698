package mapguardprobe

import (
	"os"
	"runtime"
	"strconv"
	"time"
)

// Variables of the environment that switch the probes on. Without them hooks
// only make their operation, as in a program that a test starts with an
// environment of its own.
const (
	LogVariable   = "MAPGUARD_PROVE_LOG"   // the file of results
	DelayVariable = "MAPGUARD_PROVE_DELAY" // the longest wait, in microseconds
	TimeVariable  = "MAPGUARD_PROVE_TIME"  // of all waits together, in microseconds
	CopyVariable  = "MAPGUARD_PROVE_COPY"  // how often a call may be copied into a goroutine of its own
	AfterVariable = "MAPGUARD_PROVE_AFTER" // copies come when the call has ended
	SomeVariable  = "MAPGUARD_PROVE_SOME"  // one call of so many is copied
	SeedVariable  = "MAPGUARD_PROVE_SEED"  // which ones
	RaceVariable  = "MAPGUARD_PROVE_RACE"  // pairs without locks count as two accesses, too
	SkipVariable  = "MAPGUARD_PROVE_SKIP"  // findings that need no proof any more
)

var out *os.File

func init() {
	done, visits = make([]bool, len(plan.Findings)), make([]int, len(plan.Sites))
	serials, gaps = make([]int, len(plan.Findings)), make([][]int, len(plan.Findings))
	name := os.Getenv(LogVariable)
	if name == "" {
		return
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	out = f
	races = os.Getenv(RaceVariable) != ""
	longest, left = micros(DelayVariable), micros(TimeVariable)
	copies, _ = strconv.Atoi(os.Getenv(CopyVariable))
	after = os.Getenv(AfterVariable) != ""
	some, _ = strconv.Atoi(os.Getenv(SomeVariable))
	seed, _ = strconv.Atoi(os.Getenv(SeedVariable))
	skip := os.Getenv(SkipVariable)
	for i := range done {
		done[i] = i < len(skip) && skip[i] == '1'
		if !done[i] {
			open.Add(1)
		}
	}
	harvested.start(os.Getenv(HarvestVariable), micros(LimitVariable))
}

func micros(variable string) time.Duration {
	n, _ := strconv.Atoi(os.Getenv(variable))
	return time.Duration(n) * time.Microsecond
}

// A step is one step of an interleaving that happened.
type step struct {
	who   string
	op    *Op
	stack []uintptr
}

// confirm writes down what happened, at once: the process may end.
func confirm(finding int, steps []step) {
	if done[finding] {
		return
	}
	done[finding] = true
	open.Add(-1)
	line := []byte("confirmed " + strconv.Itoa(finding))
	for _, s := range steps {
		line = append(line, ' ')
		line = strconv.AppendQuote(line, s.who+"\n"+strconv.Itoa(s.op.site)+"\n"+strconv.FormatInt(s.op.g, 10)+"\n"+string(rune(s.op.kind))+s.op.seen()+stackText(s.stack))
	}
	write(line)
}

// seen is the key of an operation and the locks of its goroutine, a line each.
func (op *Op) seen() string {
	text := ""
	if key := keyText(op.key); op.keyed && key != "" {
		text = "\nkey\t" + key
	}
	for _, name := range op.locks {
		text += "\nlock\t" + name
	}
	return text
}

// maxKey bounds the length of a key that is written down.
const maxKey = 60

// keyText writes a key of the most frequent types.
func keyText(key any) string {
	switch k := key.(type) {
	case string:
		if len(k) > maxKey {
			k = k[:maxKey]
		}
		return strconv.Quote(k)
	case int:
		return strconv.Itoa(k)
	case int64:
		return strconv.FormatInt(k, 10)
	case uint64:
		return strconv.FormatUint(k, 10)
	case uint32:
		return strconv.FormatUint(uint64(k), 10)
	}
	return ""
}

func stackText(pcs []uintptr) string {
	var b []byte
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		if f.Function != "" && !own(f.File) {
			b = append(b, "\n"+f.Function+"\t"+f.File+"\t"+strconv.Itoa(f.Line)...)
		}
		if !more {
			return string(b)
		}
	}
}

// own reports whether a file is one of the hooks'.
func own(file string) bool {
	const me = "/mapguardprobe/"
	for i := len(file) - 1; i > 0; i-- {
		if file[i] == '/' || file[i] == '\\' {
			at := i + 1 - len(me)
			return at >= 0 && file[at+1:i] == me[1:len(me)-1]
		}
	}
	return false
}

func visited(site int) {
	visits[site]++
	if power(visits[site]) {
		note("visited", site, visits[site])
	}
}

func note(what string, n, count int) {
	write([]byte(what + " " + strconv.Itoa(n) + " " + strconv.Itoa(count)))
}

// write appends one line in one call, since other processes may write, too.
func write(line []byte) {
	if out != nil {
		out.Write(append(line, '\n'))
	}
}
