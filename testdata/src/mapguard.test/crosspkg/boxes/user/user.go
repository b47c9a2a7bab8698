// Package user walks over maps that a box holds.
package user

import "mapguard.test/crosspkg/boxes"

// A map that is held as a value of any type is nothing that the box's package changes.
func namesOk(b *boxes.Box) (out []string) {
	names, ok := b.Thing("names").(map[string]bool)
	if !ok {
		return nil
	}
	for name := range names {
		out = append(out, name)
	}
	return out
}
