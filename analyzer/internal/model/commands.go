package model

import (
	"go/types"
	"reflect"
)

// commandTag is the key of a field's tag that makes what the field has a command, as commandData says.
const commandTag = "command"

// commandData are the functions that get the data of a command line, whose fields with a tag are commands, and which may be
// a command itself: main runs Execute of the one that is given (go-flags, parser.go ParseArgs).
var commandData = set(`
(*github.com/jessevdk/go-flags.Command).AddCommand (*github.com/jessevdk/go-flags.Command).AddGroup
github.com/jessevdk/go-flags.NewParser github.com/jessevdk/go-flags.Parse github.com/jessevdk/go-flags.ParseArgs
`)

// maxCommands bounds the commands that stand in each other.
const maxCommands = 4

// CommandsIn returns the types of the commands that a function of a library finds in a value of type t, which it is given.
func CommandsIn(fn *types.Func, t types.Type) []types.Type {
	if fn.Pkg() == nil || fn.Pkg().Name() != "flags" || !commandData[fn.FullName()] {
		return nil
	}
	return commandsIn(t, maxCommands)
}

func commandsIn(t types.Type, depth int) []types.Type {
	out := []types.Type{t}
	s, ok := pointee(t).Underlying().(*types.Struct)
	if !ok || depth == 0 {
		return out
	}
	for i := range s.NumFields() {
		if reflect.StructTag(s.Tag(i)).Get(commandTag) != "" || s.Field(i).Embedded() {
			out = append(out, commandsIn(s.Field(i).Type(), depth-1)...)
		}
	}
	return out
}

// RunsCommand reports whether a method is what runs such a command.
func RunsCommand(m *types.Func) bool {
	sig := m.Signature()
	if m.Name() != "Execute" || sig.Params().Len() != 1 || sig.Results().Len() != 1 {
		return false
	}
	args, ok := sig.Params().At(0).Type().(*types.Slice)
	return ok && types.Identical(args.Elem(), types.Typ[types.String])
}
