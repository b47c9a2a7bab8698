// Package rooms asks another package for the locks of its rooms.
package rooms

import (
	"context"
	"fmt"
	"sync"

	"mapguard.test/atomicity/marks/names"
)

type room struct{ guests int }

const prefix = "room_"

var (
	openMu sync.Mutex
	open   = make(map[string]*room)
)

// OpenOk is alone with its room: so is all that puts one in.
func OpenOk(name string) (*room, error) {
	release, err := names.Take(context.Background(), fmt.Sprintf("%s%s", prefix, name))
	if err != nil {
		return nil, err
	}
	defer release()
	openMu.Lock()
	r, ok := open[name]
	openMu.Unlock()
	if ok {
		return r, nil
	}
	r = new(room)
	openMu.Lock()
	open[name] = r
	openMu.Unlock()
	return r, nil
}

// RefitOk asks for the same name.
func RefitOk(number int) error {
	id := fmt.Sprint("r", number)
	release, err := names.Take(context.Background(), fmt.Sprintf("%s%s", prefix, id))
	if err != nil {
		return err
	}
	openMu.Lock()
	open[id] = new(room)
	openMu.Unlock()
	release()
	return nil
}

var (
	sharedMu sync.Mutex
	shared   = make(map[string]*room)
)

// ShareBad asks for another name than those who put a room in elsewhere.
func ShareBad(name string) error {
	release, err := names.Take(context.Background(), "shared_"+name)
	if err != nil {
		return err
	}
	defer release()
	sharedMu.Lock()
	_, ok := shared[name]
	sharedMu.Unlock()
	if ok {
		return nil
	}
	sharedMu.Lock()
	shared[name] = new(room) // want `split-lock`
	sharedMu.Unlock()
	return nil
}

// PutShared asks for a name of its own.
func PutShared(name string) error {
	release, err := names.Take(context.Background(), "put_"+name)
	if err != nil {
		return err
	}
	defer release()
	sharedMu.Lock()
	shared[name] = new(room)
	sharedMu.Unlock()
	return nil
}

var (
	guestMu sync.Mutex
	guests  = make(map[string]*room)
)

// AdmitBad asks for a name that two of one room need not share.
func AdmitBad(guest, name string) error {
	release, err := names.Take(context.Background(), guest+"_"+name)
	if err != nil {
		return err
	}
	defer release()
	guestMu.Lock()
	_, ok := guests[name]
	guestMu.Unlock()
	if ok {
		return nil
	}
	guestMu.Lock()
	guests[name] = new(room) // want `split-lock`
	guestMu.Unlock()
	return nil
}

var (
	shortMu sync.Mutex
	short   = make(map[string]*room)
)

// ShortBad gives the name back before it acts.
func ShortBad(name string) error {
	release, err := names.Take(context.Background(), name)
	if err != nil {
		return err
	}
	shortMu.Lock()
	_, ok := short[name]
	shortMu.Unlock()
	release()
	if ok {
		return nil
	}
	shortMu.Lock()
	short[name] = new(room) // want `split-lock`
	shortMu.Unlock()
	return nil
}

var (
	wildMu sync.Mutex
	wild   = make(map[string]*room)
)

// WildBad has a writer that asks for no name.
func WildBad(name string) error {
	release, err := names.Take(context.Background(), name)
	if err != nil {
		return err
	}
	defer release()
	wildMu.Lock()
	_, ok := wild[name]
	wildMu.Unlock()
	if ok {
		return nil
	}
	wildMu.Lock()
	wild[name] = new(room) // want `split-lock`
	wildMu.Unlock()
	return nil
}

// PutWild asks for no name.
func PutWild(name string) {
	wildMu.Lock()
	wild[name] = new(room)
	wildMu.Unlock()
}

var (
	lentMu sync.Mutex
	lent   = make(map[string]*room)
)

// LentBad borrows a name that another one may have as well.
func LentBad(name string) {
	defer names.Borrow(name)()
	lentMu.Lock()
	_, ok := lent[name]
	lentMu.Unlock()
	if ok {
		return
	}
	lentMu.Lock()
	lent[name] = new(room) // want `split-lock`
	lentMu.Unlock()
}
