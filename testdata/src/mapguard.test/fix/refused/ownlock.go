package refused

import "sync"

// The variable is exported.
var Shared = struct {
	sync.Mutex
	m map[string]int
}{m: make(map[string]int)}

func DropShared(k string) {
	Shared.Lock()
	defer Shared.Unlock()
	delete(Shared.m, k)
	Shared.m[k]++
}

func GetSharedBad(k string) int {
	return Shared.m[k] // want `unguarded-access: .*`
}

// Its address gets to others.
var sharedByAddress = struct {
	sync.Mutex
	m map[string]int
}{m: make(map[string]int)}

func AddressOf() any { return &sharedByAddress }

func DropSharedByAddress(k string) {
	sharedByAddress.Lock()
	defer sharedByAddress.Unlock()
	delete(sharedByAddress.m, k)
	sharedByAddress.m[k]++
}

func GetSharedByAddressBad(k string) int {
	return sharedByAddress.m[k] // want `unguarded-access: .*`
}

// So does that of its lock.
var lockByAddress = struct {
	sync.Mutex
	m map[string]int
}{m: make(map[string]int)}

func LockOf() sync.Locker { return &lockByAddress.Mutex }

func DropLockByAddress(k string) {
	lockByAddress.Lock()
	defer lockByAddress.Unlock()
	delete(lockByAddress.m, k)
	lockByAddress.m[k]++
}

func GetLockByAddressBad(k string) int {
	return lockByAddress.m[k] // want `unguarded-access: .*`
}

// So does a method of its lock.
var lockMethod = struct {
	sync.Mutex
	m map[string]int
}{m: make(map[string]int)}

func MethodOf() func() { return lockMethod.Lock }

func DropLockMethod(k string) {
	lockMethod.Lock()
	defer lockMethod.Unlock()
	delete(lockMethod.m, k)
	lockMethod.m[k]++
}

func GetLockMethodBad(k string) int {
	return lockMethod.m[k] // want `unguarded-access: .*`
}

// It is read as a whole.
var copiedPointer = &struct {
	sync.Mutex
	m map[string]int
}{m: make(map[string]int)}

func Whole() any {
	s := copiedPointer
	return s
}

func DropCopiedPointer(k string) {
	copiedPointer.Lock()
	defer copiedPointer.Unlock()
	delete(copiedPointer.m, k)
	copiedPointer.m[k]++
}

func GetCopiedPointerBad(k string) int {
	return copiedPointer.m[k] // want `unguarded-access: .*`
}
