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
	http.ListenAndServe(":8080", t)
}
