// Package main gives servers objects by an interface, which goroutines work on as well: those of the server know the object, too.
package main

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

type tide struct{ levels map[string]int }

func (t *tide) riseBad() {
	for range time.Tick(time.Hour) {
		t.levels["high"]++ // want `unguarded-access: t.levels is written without a lock, and no lock protects it`
	}
}

func (t *tide) ServeHTTP(w http.ResponseWriter, r *http.Request) { t.show(w, r) }

func (t *tide) show(w http.ResponseWriter, r *http.Request) {
	fmt.Fprint(w, t.levels[r.URL.Path])
}

// The goroutine is started by a method, before the server gets the object.
type wind struct{ speeds map[string]int }

func (v *wind) start() { go v.blowBad() }

func (v *wind) blowBad() {
	for range time.Tick(time.Hour) {
		v.speeds["north"]++ // want `unguarded-access: v.speeds is written without a lock, and no lock protects it`
	}
}

func (v *wind) ServeHTTP(w http.ResponseWriter, r *http.Request) { v.show(w, r) }

func (v *wind) show(w http.ResponseWriter, r *http.Request) {
	fmt.Fprint(w, v.speeds[r.URL.Path])
}

// The server gets it wrapped.
type rain struct{ falls map[string]int }

func (v *rain) fallBad() {
	for range time.Tick(time.Hour) {
		v.falls["east"]++ // want `unguarded-access: v.falls is written without a lock, and no lock protects it`
	}
}

func (v *rain) ServeHTTP(w http.ResponseWriter, r *http.Request) { v.show(w, r) }

func (v *rain) show(w http.ResponseWriter, r *http.Request) {
	fmt.Fprint(w, v.falls[r.URL.Path])
}

// What a function waits for after the start, but which comes before another goroutine, is over; the goroutine is not.
type frost struct{ nights map[string]int }

func (v *frost) freezeBad() {
	for range time.Tick(time.Hour) {
		v.nights["west"]++ // want `unguarded-access: v.nights is written without a lock, and no lock protects it`
	}
}

func (v *frost) ServeHTTP(w http.ResponseWriter, r *http.Request) { v.show(w, r) }

func (v *frost) show(w http.ResponseWriter, r *http.Request) {
	fmt.Fprint(w, v.nights[r.URL.Path])
}

func frosty() {
	v := &frost{nights: make(map[string]int)}
	var wg sync.WaitGroup
	wg.Go(func() {})
	wg.Wait()
	go v.freezeBad()
	http.ListenAndServe(":83", v)
}

// The function waits before it serves.
type snow struct{ depths map[string]int }

func (v *snow) fallOk(done chan<- bool) {
	v.depths["north"]++
	close(done)
}

func (v *snow) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fmt.Fprint(w, v.depths[r.URL.Path])
}

func snowy() {
	v, done := &snow{depths: make(map[string]int)}, make(chan bool)
	go v.fallOk(done)
	<-done
	http.ListenAndServe(":81", v)
}

// The server gets another object.
type cloud struct{ heights map[string]int }

func (v *cloud) driftOk() {
	for range time.Tick(time.Hour) {
		v.heights["south"]++
	}
}

func (v *cloud) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fmt.Fprint(w, v.heights[r.URL.Path])
}

func cloudy() {
	go (&cloud{heights: make(map[string]int)}).driftOk()
	http.ListenAndServe(":82", &cloud{heights: make(map[string]int)})
}

// What gets this one calls no method that serves.
type haze struct{ days map[string]int }

func (v *haze) thickenOk() {
	for range time.Tick(time.Hour) {
		v.days["autumn"]++
	}
}

func (v *haze) ServeHTTP(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, v.days[r.URL.Path]) }

func (v *haze) String() string { return "haze" }

func hazy() {
	v := &haze{days: make(map[string]int)}
	go v.thickenOk()
	tell(v)
}

func tell(s fmt.Stringer) { fmt.Println(s.String()) }

// The goroutine has ended when the server gets the object, which another function serves.
type hail struct{ sizes map[string]int }

func (v *hail) fallOk(done chan<- bool) {
	v.sizes["north"]++
	close(done)
}

func (v *hail) ServeHTTP(w http.ResponseWriter, r *http.Request) { v.show(w, r) }

func (v *hail) show(w http.ResponseWriter, r *http.Request) {
	fmt.Fprint(w, v.sizes[r.URL.Path])
}

func haily() {
	v, done := &hail{sizes: make(map[string]int)}, make(chan bool)
	go v.fallOk(done)
	<-done
	http.Handle("/hail", v)
}

// A helper waits for it.
type mist struct{ hours map[string]int }

func (v *mist) riseOk(done chan<- bool) {
	v.hours["north"]++
	close(done)
}

func (v *mist) ServeHTTP(w http.ResponseWriter, r *http.Request) { v.show(w, r) }

func (v *mist) show(w http.ResponseWriter, r *http.Request) {
	fmt.Fprint(w, v.hours[r.URL.Path])
}

func misty() {
	v, done := &mist{hours: make(map[string]int)}, make(chan bool)
	go v.riseOk(done)
	await(done)
	http.ListenAndServe(":84", v)
}

func await(done <-chan bool) { <-done }

// A select waits for it.
type gale struct{ forces map[string]int }

func (v *gale) blowOk(done chan<- bool) {
	v.forces["north"]++
	close(done)
}

func (v *gale) ServeHTTP(w http.ResponseWriter, r *http.Request) { v.show(w, r) }

func (v *gale) show(w http.ResponseWriter, r *http.Request) {
	fmt.Fprint(w, v.forces[r.URL.Path])
}

func galy() {
	v, done := &gale{forces: make(map[string]int)}, make(chan bool)
	go v.blowOk(done)
	select {
	case <-done:
	case <-time.After(time.Hour):
		panic("no wind")
	}
	http.ListenAndServe(":85", v)
}

// Each round of a loop gives the server an object of its own, on which no goroutine works any more.
type dew struct{ drops map[string]int }

func (v *dew) formOk(done chan<- bool) {
	v.drops["north"]++
	close(done)
}

func (v *dew) ServeHTTP(w http.ResponseWriter, r *http.Request) { v.show(w, r) }

func (v *dew) show(w http.ResponseWriter, r *http.Request) {
	fmt.Fprint(w, v.drops[r.URL.Path])
}

func dewy() {
	for _, place := range []string{"/lawn", "/leaf"} {
		v, done := &dew{drops: make(map[string]int)}, make(chan bool)
		go v.formOk(done)
		<-done
		http.Handle(place, v)
	}
}

// The server gets it before, and begins later.
type sleet struct{ days map[string]int }

func (v *sleet) fallOk(done chan<- bool) {
	v.days["north"]++
	close(done)
}

func (v *sleet) ServeHTTP(w http.ResponseWriter, r *http.Request) { v.show(w, r) }

func (v *sleet) show(w http.ResponseWriter, r *http.Request) {
	fmt.Fprint(w, v.days[r.URL.Path])
}

func sleety() {
	v, done := &sleet{days: make(map[string]int)}, make(chan bool)
	http.Handle("/sleet", v)
	go v.fallOk(done)
	await(done)
	http.ListenAndServe(":86", nil)
}

// The server has ended.
type storm struct{ paths map[string]int }

func (v *storm) passOk(done chan<- bool) {
	v.paths["north"]++
	close(done)
}

func (v *storm) ServeHTTP(w http.ResponseWriter, r *http.Request) { v.show(w, r) }

func (v *storm) show(w http.ResponseWriter, r *http.Request) {
	fmt.Fprint(w, v.paths[r.URL.Path])
}

func stormy() {
	v, done := &storm{paths: make(map[string]int)}, make(chan bool)
	http.ListenAndServe(":87", v)
	go v.passOk(done)
	<-done
}

// The server serves while the goroutine runs, for which the function waits in the end.
type squall struct{ gusts map[string]int }

func (v *squall) blowBad(done chan<- bool) {
	v.gusts["north"]++ // want `unguarded-access: v.gusts is written without a lock, and no lock protects it`
	close(done)
}

func (v *squall) ServeHTTP(w http.ResponseWriter, r *http.Request) { v.show(w, r) }

func (v *squall) show(w http.ResponseWriter, r *http.Request) {
	fmt.Fprint(w, v.gusts[r.URL.Path])
}

func squally() {
	v, done := &squall{gusts: make(map[string]int)}, make(chan bool)
	go http.ListenAndServe(":88", v)
	go v.blowBad(done)
	<-done
}

// Another function serves what was registered.
type thaw struct{ rivers map[string]int }

func (v *thaw) meltBad(done chan<- bool) {
	v.rivers["north"]++ // want `unguarded-access: v.rivers is written without a lock, and no lock protects it`
	close(done)
}

func (v *thaw) ServeHTTP(w http.ResponseWriter, r *http.Request) { v.show(w, r) }

func (v *thaw) show(w http.ResponseWriter, r *http.Request) {
	fmt.Fprint(w, v.rivers[r.URL.Path])
}

func thawing() {
	v, done := &thaw{rivers: make(map[string]int)}, make(chan bool)
	http.Handle("/thaw", v)
	go v.meltBad(done)
	<-done
}

// So it is in each round of a loop.
type flood struct{ marks map[string]int }

func (v *flood) riseBad(done chan<- bool) {
	v.marks["north"]++ // want `unguarded-access: v.marks is written without a lock, and no lock protects it`
	close(done)
}

func (v *flood) ServeHTTP(w http.ResponseWriter, r *http.Request) { v.show(w, r) }

func (v *flood) show(w http.ResponseWriter, r *http.Request) {
	fmt.Fprint(w, v.marks[r.URL.Path])
}

func flooded() {
	for _, place := range []string{"/mill", "/weir"} {
		v, done := &flood{marks: make(map[string]int)}, make(chan bool)
		http.Handle(place, v)
		go v.riseBad(done)
		<-done
	}
}

func main() {
	t := &tide{levels: make(map[string]int)}
	go t.riseBad()
	v := &wind{speeds: make(map[string]int)}
	v.start()
	mux := http.NewServeMux()
	mux.Handle("/wind", v)
	showers := &rain{falls: make(map[string]int)}
	go showers.fallBad()
	http.Handle("/rain", http.StripPrefix("/rain", showers))
	go http.ListenAndServe(":80", mux)
	go snowy()
	go cloudy()
	go frosty()
	hazy()
	haily()
	go misty()
	go galy()
	dewy()
	go sleety()
	go stormy()
	squally()
	thawing()
	flooded()
	http.ListenAndServe(":8080", t)
}
