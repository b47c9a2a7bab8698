package model

import (
	"go/types"
	"strings"
)

// awaiting are the first words in the names of functions that go on until something
// happens: an event comes, a condition holds, room is free, they are told to stop.
var awaiting = []string{
	"Wait", "Await", "Serve", "ListenAndServe", "Listen", "Accept", "Poll", "Recv", "Receive", "Consume", "Next", "Acquire",
	"Until", "RunUntil", "Forever", "RunForever", "Join", "Block",
}

// Awaits reports whether a function of a library waits for what may never come, or
// what another goroutine of the program does: so its name or its row says, or it starts a
// goroutine in a pool or group of another module than the standard library, which can
// have a limit. Functions that are slow, as those that ask a server, do not count.
func Awaits(fn *types.Func) bool {
	if fn == nil || Repeats(fn) {
		return true
	}
	switch Lookup(fn).Kind {
	case CondWait, Join, Flight, FlightApart, Acquire:
		return true
	case Spawn:
		return fn.Pkg() != nil && strings.Contains(fn.Pkg().Path(), ".")
	}
	for _, word := range awaiting {
		rest, ok := strings.CutPrefix(fn.Name(), word)
		if !ok || word == "Listen" && opens(fn) {
			continue
		}
		if rest == "" || (rest[0] < 'a' || rest[0] > 'z') && !nounOf(fn, word) {
			return true
		}
	}
	return false
}

// nounOf reports whether a word at the beginning of a function's name belongs to the name of what the function
// gives, as in NextRun and BlockID: it cannot fail, and so hardly waits for anything.
func nounOf(fn *types.Func, word string) bool {
	if word != "Next" && word != "Block" {
		return false
	}
	results := fn.Signature().Results()
	return results.Len() > 0 && !isError(results.At(results.Len()-1).Type())
}

// opens reports whether a function gives what is to be closed later, as net.Listen does: it is what waits for those
// who come, not the function.
func opens(fn *types.Func) bool {
	results := fn.Signature().Results()
	if results.Len() == 0 {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(results.At(0).Type(), true, fn.Pkg(), "Close")
	_, method := obj.(*types.Func)
	return method
}

// lingering are the functions of the standard library that go on until code of the program which
// others run has ended, or that only let others run.
var lingering = map[string]bool{
	"time.Sleep": true, "runtime.Gosched": true, "(*net/http.Server).Shutdown": true,
	"(*os/exec.Cmd).Run": true, "(*os/exec.Cmd).Output": true, "(*os/exec.Cmd).CombinedOutput": true,
}

// Lingers reports whether a function of a library lets others run until what they do is done, or is
// called to poll for it: so its name says, or it is one of the standard library's.
func Lingers(fn *types.Func) bool {
	for _, word := range [...]string{"Shutdown", "GracefulStop", "Drain"} {
		if strings.HasPrefix(fn.Name(), word) {
			return true
		}
	}
	return lingering[fn.FullName()]
}

// Signals reports whether a function of the standard library lets go on who waits: for a group, a condition,
// or what an atomic variable holds.
func Signals(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "sync":
		return fn.Name() == "Done" || fn.Name() == "Add" || fn.Name() == "Signal" || fn.Name() == "Broadcast"
	case "sync/atomic":
		return true
	}
	return false
}

// others are programs that run what their arguments name, or ask other processes for it: one of these may be this
// process.
var others = map[string]bool{
	"sh": true, "bash": true, "zsh": true, "ash": true, "dash": true, "cmd": true, "powershell": true, "pwsh": true,
	"env": true, "sudo": true, "su": true, "nohup": true, "timeout": true, "xargs": true, "make": true, "nsenter": true, "chroot": true,
	"python": true, "python3": true, "perl": true, "ruby": true, "node": true, "go": true,
	"ssh": true, "curl": true, "wget": true, "nc": true, "kubectl": true, "docker": true,
}

// RunsOthers reports whether a program, by its name or path, runs another one or asks other processes, as its
// arguments say: it may come back to the process that runs it.
func RunsOthers(program string) bool {
	name := program[strings.LastIndexAny(program, `/\`)+1:]
	return name == "" || others[strings.TrimSuffix(strings.ToLower(name), ".exe")]
}

// waits reports whether fn is a method that by its name and shape waits for
// goroutines to end, as Wait of a group does.
func waits(fn *types.Func) bool {
	switch fn.Name() {
	case "Wait", "SignalAndWait", "StopAndWait", "StopWait", "CloseAndWait":
		sig := fn.Signature()
		return sig.Recv() != nil && sig.Params().Len() == 0 && fn.Pkg() != nil && fn.Pkg().Path() != "sync"
	}
	return false
}
