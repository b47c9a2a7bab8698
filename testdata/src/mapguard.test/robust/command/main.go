// Command command shows that nothing is reachable from other packages here:
// a package-level map of a command is no evidence.
package main

import "os"

var seen = map[string]bool{}

func main() {
	for _, a := range os.Args {
		rememberOk(a)
	}
}

func rememberOk(a string) {
	if !seen[a] {
		seen[a] = true
	}
}
