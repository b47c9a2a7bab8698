package outside

import "strings"

// maxPrograms bounds the programs of a module of which it is told which functions they run.
const maxPrograms = 64

// OtherPrograms reports whether each program of an application that comes to one of two functions does not come to the
// other: they never run in one process. It is not where a program is known for neither.
func (v *View) OtherPrograms(a, b Name) bool {
	s := v.s.solver
	if !s.application {
		return false
	}
	in := v.s.programs()
	inA, inB := in[s.declared(a)], in[s.declared(b)]
	return inA != 0 && inB != 0 && inA&inB == 0
}

// declared returns the declared function in which an access stands.
func (s *solver) declared(access Name) Name {
	fn, _, _ := strings.Cut(string(access), placeSign)
	return s.code(Name(fn))
}

// programsOf returns which programs come to each function, as bits; nothing where there are too many of them.
// Complexity: the programs, times the references.
func (s *solver) programsOf() map[Name]uint64 {
	out := make(map[Name]uint64)
	programs := 0
	for _, r := range s.records {
		main := r.main()
		if main == "" {
			continue
		}
		if programs++; programs > maxPrograms {
			return nil
		}
		for fn := range s.reachedFrom([]Name{main, ""}, s.initialOf([]string{r.Path}), s.boxed) {
			out[fn] |= 1 << (programs - 1)
		}
	}
	return out
}
