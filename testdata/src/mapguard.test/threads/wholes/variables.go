package wholes

import "sync"

// A tariff is kept in two package-level variables: what is done to the one tells nothing of the other, whose map no other
// name leads to.
type tariff struct {
	name  string
	rates map[string]int
}

var (
	tariffMu    sync.Mutex
	nightTariff = &tariff{name: "night", rates: map[string]int{"a": 2}}
	localTariff = &tariff{name: "local", rates: map[string]int{"a": 1}}
	cargoTariff = tariff{name: "cargo", rates: make(map[string]int)}
)

func RaiseTariffOk(zone string) {
	tariffMu.Lock()
	defer tariffMu.Unlock()
	nightTariff.rates[zone]++
}

func DropTariffOk(zone string) {
	tariffMu.Lock()
	defer tariffMu.Unlock()
	delete(nightTariff.rates, zone)
}

func TariffOk(zone string) int {
	tariffMu.Lock()
	defer tariffMu.Unlock()
	return nightTariff.rates[zone]
}

func TariffBad(zone string) int {
	return nightTariff.rates[zone] // want `unguarded-access: nightTariff.rates is read without tariffMu`
}

func LocalTariffOk(zone string) int { return localTariff.rates[zone] }

func CargoTariffOk(zone string) int { return cargoTariff.rates[zone] }

// A toll goes by another name to what changes it.
type toll struct {
	name  string
	rates map[string]int
}

var (
	tollMu    sync.Mutex
	nightToll = &toll{name: "night", rates: map[string]int{"a": 2}}
	guestToll = &toll{name: "guest", rates: map[string]int{"a": 3}}
)

func RaiseTollsOk(zone string) {
	tollMu.Lock()
	defer tollMu.Unlock()
	nightToll.rates[zone]++
	raiseToll(guestToll, zone)
}

func DropTollOk(zone string) {
	tollMu.Lock()
	defer tollMu.Unlock()
	delete(nightToll.rates, zone)
}

func TollOk(zone string) int {
	tollMu.Lock()
	defer tollMu.Unlock()
	return nightToll.rates[zone]
}

func raiseToll(t *toll, zone string) { t.rates[zone] = 1 }

func GuestTollBad(zone string) int {
	return guestToll.rates[zone] // want `unguarded-access: guestToll.rates is read without tollMu`
}

// A levy has the map of another one.
type levy struct {
	name  string
	rates map[string]int
}

var (
	levyMu    sync.Mutex
	nightLevy = &levy{name: "night", rates: map[string]int{"a": 2}}
	givenLevy = &levy{name: "given", rates: nightLevy.rates}
	wholeLevy = *nightLevy
	sameLevy  = nightLevy
)

func RaiseLevyOk(zone string) {
	levyMu.Lock()
	defer levyMu.Unlock()
	nightLevy.rates[zone]++
}

func DropLevyOk(zone string) {
	levyMu.Lock()
	defer levyMu.Unlock()
	delete(nightLevy.rates, zone)
}

func LevyOk(zone string) int {
	levyMu.Lock()
	defer levyMu.Unlock()
	return nightLevy.rates[zone] + len(nightLevy.rates) + nightLevy.rates["all"]
}

func GivenLevyBad(zone string) int {
	return givenLevy.rates[zone] // want `unguarded-access: givenLevy.rates is read without levyMu`
}

func WholeLevyBad(zone string) int {
	return wholeLevy.rates[zone] // want `unguarded-access: wholeLevy.rates is read without levyMu`
}

func SameLevyBad(zone string) int {
	return sameLevy.rates[zone] // want `unguarded-access: sameLevy.rates is read without levyMu`
}

// A fee has a lock in it, which one of two variables does without, though its map changes.
type fee struct {
	mu    sync.Mutex
	rates map[string]int
}

var (
	nightFee = &fee{rates: map[string]int{}}
	localFee = &fee{rates: map[string]int{}}
)

func RaiseFeeOk(zone string) {
	nightFee.mu.Lock()
	defer nightFee.mu.Unlock()
	nightFee.rates[zone]++
}

func DropFeeOk(zone string) {
	nightFee.mu.Lock()
	defer nightFee.mu.Unlock()
	delete(nightFee.rates, zone)
}

func FeeOk(zone string) int {
	nightFee.mu.Lock()
	defer nightFee.mu.Unlock()
	return nightFee.rates[zone]
}

func RaiseFeeBad(zone string) {
	localFee.rates[zone]++ // want `check-then-act: localFee\.rates`
}
