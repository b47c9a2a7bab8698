// Package handedout has workers that get objects of their own through a channel.
package handedout

import "sync"

// Each worker has what it gets to itself; an earlier phase gave a doc the map of the one whose place it took.
type galleryDoc struct {
	name  string
	views map[string]int
}

type gallery struct {
	run  sync.Mutex
	mu   sync.Mutex
	docs map[string]*galleryDoc
	keep *galleryDoc
}

// NewGallery makes one.
func NewGallery() *gallery { return &gallery{docs: make(map[string]*galleryDoc)} }

func (s *gallery) Run(names []string) {
	s.run.Lock()
	defer s.run.Unlock()
	s.load(names)
	s.show()
}

func (s *gallery) Forget(name string) {
	s.run.Lock()
	defer s.run.Unlock()
	if d := s.docs[name]; d != nil {
		delete(d.views, "seen")
	}
}

func (s *gallery) load(names []string) {
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.put(&galleryDoc{name: name})
		}()
	}
	wg.Wait()
}

func (s *gallery) put(d *galleryDoc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.docs[d.name]; old != nil {
		d.views = old.views
	}
	s.docs[d.name] = d
}

func (s *gallery) show() {
	docs := make(chan *galleryDoc)
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go s.workOk(docs, &wg)
	}
	for _, d := range s.docs {
		docs <- d
	}
	close(docs)
	wg.Wait()
}

func (s *gallery) workOk(docs <-chan *galleryDoc, wg *sync.WaitGroup) {
	defer wg.Done()
	for d := range docs {
		if d.views == nil {
			d.views = make(map[string]int)
		}
		d.views["seen"]++
	}
}

// The docs are sent by a function that gets each of them.
type callbackDoc struct {
	name  string
	views map[string]int
}

type callback struct {
	run  sync.Mutex
	mu   sync.Mutex
	docs map[string]*callbackDoc
	keep *callbackDoc
}

// NewCallback makes one.
func NewCallback() *callback { return &callback{docs: make(map[string]*callbackDoc)} }

func (s *callback) Run(names []string) {
	s.run.Lock()
	defer s.run.Unlock()
	s.load(names)
	s.show()
}

func (s *callback) Forget(name string) {
	s.run.Lock()
	defer s.run.Unlock()
	if d := s.docs[name]; d != nil {
		delete(d.views, "seen")
	}
}

func (s *callback) load(names []string) {
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.put(&callbackDoc{name: name})
		}()
	}
	wg.Wait()
}

func (s *callback) put(d *callbackDoc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.docs[d.name]; old != nil {
		d.views = old.views
	}
	s.docs[d.name] = d
}

func (s *callback) show() {
	docs := make(chan *callbackDoc)
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go s.workOk(docs, &wg)
	}
	s.each(func(d *callbackDoc) { docs <- d })
	close(docs)
	wg.Wait()
}

func (s *callback) workOk(docs <-chan *callbackDoc, wg *sync.WaitGroup) {
	defer wg.Done()
	for d := range docs {
		if d.views == nil {
			d.views = make(map[string]int)
		}
		d.views["seen"]++
	}
}

func (s *callback) each(f func(*callbackDoc)) {
	for _, d := range s.docs {
		f(d)
	}
}

// It gets each of them twice.
type callbacksDoc struct {
	name  string
	views map[string]int
}

type callbacks struct {
	run  sync.Mutex
	mu   sync.Mutex
	docs map[string]*callbacksDoc
	keep *callbacksDoc
}

// NewCallbacks makes one.
func NewCallbacks() *callbacks { return &callbacks{docs: make(map[string]*callbacksDoc)} }

func (s *callbacks) Run(names []string) {
	s.run.Lock()
	defer s.run.Unlock()
	s.load(names)
	s.show()
}

func (s *callbacks) Forget(name string) {
	s.run.Lock()
	defer s.run.Unlock()
	if d := s.docs[name]; d != nil {
		delete(d.views, "seen")
	}
}

func (s *callbacks) load(names []string) {
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.put(&callbacksDoc{name: name})
		}()
	}
	wg.Wait()
}

func (s *callbacks) put(d *callbacksDoc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.docs[d.name]; old != nil {
		d.views = old.views
	}
	s.docs[d.name] = d
}

func (s *callbacks) show() {
	docs := make(chan *callbacksDoc)
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go s.workBad(docs, &wg)
	}
	send := func(d *callbacksDoc) { docs <- d }
	s.each(send)
	s.each(send)
	close(docs)
	wg.Wait()
}

func (s *callbacks) workBad(docs <-chan *callbacksDoc, wg *sync.WaitGroup) {
	defer wg.Done()
	for d := range docs {
		if d.views == nil {
			d.views = make(map[string]int)
		}
		d.views["seen"]++ // want `rlock-write: .*views is written`
	}
}

func (s *callbacks) each(f func(*callbacksDoc)) {
	for _, d := range s.docs {
		f(d)
	}
}

// Both docs stay, with one map.
type sharersDoc struct {
	name  string
	views map[string]int
}

type sharers struct {
	run  sync.Mutex
	mu   sync.Mutex
	docs map[string]*sharersDoc
	keep *sharersDoc
}

// NewSharers makes one.
func NewSharers() *sharers { return &sharers{docs: make(map[string]*sharersDoc)} }

func (s *sharers) Run(names []string) {
	s.run.Lock()
	defer s.run.Unlock()
	s.load(names)
	s.show()
}

func (s *sharers) Forget(name string) {
	s.run.Lock()
	defer s.run.Unlock()
	if d := s.docs[name]; d != nil {
		delete(d.views, "seen")
	}
}

func (s *sharers) load(names []string) {
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.put(&sharersDoc{name: name})
		}()
	}
	wg.Wait()
}

func (s *sharers) put(d *sharersDoc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.docs[d.name]; old != nil {
		d.views = old.views
	}
	s.docs[d.name+"'"] = d
}

func (s *sharers) show() {
	docs := make(chan *sharersDoc)
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go s.workBad(docs, &wg)
	}
	for _, d := range s.docs {
		docs <- d
	}
	close(docs)
	wg.Wait()
}

func (s *sharers) workBad(docs <-chan *sharersDoc, wg *sync.WaitGroup) {
	defer wg.Done()
	for d := range docs {
		if d.views == nil {
			d.views = make(map[string]int)
		}
		d.views["seen"]++ // want `rlock-write: .*views is written`
	}
}

// It may take the other place, or none.
type maybeDoc struct {
	name  string
	views map[string]int
}

type maybe struct {
	run  sync.Mutex
	mu   sync.Mutex
	docs map[string]*maybeDoc
	keep *maybeDoc
}

// NewMaybe makes one.
func NewMaybe() *maybe { return &maybe{docs: make(map[string]*maybeDoc)} }

func (s *maybe) Run(names []string) {
	s.run.Lock()
	defer s.run.Unlock()
	s.load(names)
	s.show()
}

func (s *maybe) Forget(name string) {
	s.run.Lock()
	defer s.run.Unlock()
	if d := s.docs[name]; d != nil {
		delete(d.views, "seen")
	}
}

func (s *maybe) load(names []string) {
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.put(&maybeDoc{name: name})
		}()
	}
	wg.Wait()
}

func (s *maybe) put(d *maybeDoc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.docs[d.name]; old != nil {
		d.views = old.views
	}
	if d.name != "" {
		s.docs[d.name] = d
	}
}

func (s *maybe) show() {
	docs := make(chan *maybeDoc)
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go s.workBad(docs, &wg)
	}
	for _, d := range s.docs {
		docs <- d
	}
	close(docs)
	wg.Wait()
}

func (s *maybe) workBad(docs <-chan *maybeDoc, wg *sync.WaitGroup) {
	defer wg.Done()
	for d := range docs {
		if d.views == nil {
			d.views = make(map[string]int)
		}
		d.views["seen"]++ // want `rlock-write: .*views is written`
	}
}

// Each is sent twice.
type againDoc struct {
	name  string
	views map[string]int
}

type again struct {
	run  sync.Mutex
	mu   sync.Mutex
	docs map[string]*againDoc
	keep *againDoc
}

// NewAgain makes one.
func NewAgain() *again { return &again{docs: make(map[string]*againDoc)} }

func (s *again) Run(names []string) {
	s.run.Lock()
	defer s.run.Unlock()
	s.load(names)
	s.show()
}

func (s *again) Forget(name string) {
	s.run.Lock()
	defer s.run.Unlock()
	if d := s.docs[name]; d != nil {
		delete(d.views, "seen")
	}
}

func (s *again) load(names []string) {
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.put(&againDoc{name: name})
		}()
	}
	wg.Wait()
}

func (s *again) put(d *againDoc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.docs[d.name]; old != nil {
		d.views = old.views
	}
	s.docs[d.name] = d
}

func (s *again) show() {
	docs := make(chan *againDoc)
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go s.workBad(docs, &wg)
	}
	for range 2 {
		for _, d := range s.docs {
			docs <- d
		}
	}
	close(docs)
	wg.Wait()
}

func (s *again) workBad(docs <-chan *againDoc, wg *sync.WaitGroup) {
	defer wg.Done()
	for d := range docs {
		if d.views == nil {
			d.views = make(map[string]int)
		}
		d.views["seen"]++ // want `rlock-write: .*views is written`
	}
}

// One is sent over and over.
type sameDoc struct {
	name  string
	views map[string]int
}

type same struct {
	run  sync.Mutex
	mu   sync.Mutex
	docs map[string]*sameDoc
	keep *sameDoc
}

// NewSame makes one.
func NewSame() *same { return &same{docs: make(map[string]*sameDoc)} }

func (s *same) Run(names []string) {
	s.run.Lock()
	defer s.run.Unlock()
	s.load(names)
	s.show()
}

func (s *same) Forget(name string) {
	s.run.Lock()
	defer s.run.Unlock()
	if d := s.docs[name]; d != nil {
		delete(d.views, "seen")
	}
}

func (s *same) load(names []string) {
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.put(&sameDoc{name: name})
		}()
	}
	wg.Wait()
}

func (s *same) put(d *sameDoc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.docs[d.name]; old != nil {
		d.views = old.views
	}
	s.docs[d.name] = d
}

func (s *same) show() {
	docs := make(chan *sameDoc)
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go s.workBad(docs, &wg)
	}
	for range s.docs {
		docs <- s.keep
	}
	close(docs)
	wg.Wait()
}

func (s *same) workBad(docs <-chan *sameDoc, wg *sync.WaitGroup) {
	defer wg.Done()
	for d := range docs {
		if d.views == nil {
			d.views = make(map[string]int)
		}
		d.views["seen"]++ // want `rlock-write: .*views is written`
	}
}

// Who has sent it goes on with it.
type senderDoc struct {
	name  string
	views map[string]int
}

type sender struct {
	run  sync.Mutex
	mu   sync.Mutex
	docs map[string]*senderDoc
	keep *senderDoc
}

// NewSender makes one.
func NewSender() *sender { return &sender{docs: make(map[string]*senderDoc)} }

func (s *sender) Run(names []string) {
	s.run.Lock()
	defer s.run.Unlock()
	s.load(names)
	s.show()
}

func (s *sender) Forget(name string) {
	s.run.Lock()
	defer s.run.Unlock()
	if d := s.docs[name]; d != nil {
		delete(d.views, "seen")
	}
}

func (s *sender) load(names []string) {
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.put(&senderDoc{name: name})
		}()
	}
	wg.Wait()
}

func (s *sender) put(d *senderDoc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.docs[d.name]; old != nil {
		d.views = old.views
	}
	s.docs[d.name] = d
}

func (s *sender) show() {
	docs := make(chan *senderDoc)
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go s.workBad(docs, &wg)
	}
	for _, d := range s.docs {
		docs <- d
		d.views["sent"]++
	}
	close(docs)
	wg.Wait()
}

func (s *sender) workBad(docs <-chan *senderDoc, wg *sync.WaitGroup) {
	defer wg.Done()
	for d := range docs {
		if d.views == nil {
			d.views = make(map[string]int)
		}
		d.views["seen"]++ // want `rlock-write: .*views is written`
	}
}

// Other workers get the same ones.
type twosortsDoc struct {
	name  string
	views map[string]int
}

type twosorts struct {
	run  sync.Mutex
	mu   sync.Mutex
	docs map[string]*twosortsDoc
	keep *twosortsDoc
}

// NewTwosorts makes one.
func NewTwosorts() *twosorts { return &twosorts{docs: make(map[string]*twosortsDoc)} }

func (s *twosorts) Run(names []string) {
	s.run.Lock()
	defer s.run.Unlock()
	s.load(names)
	s.show()
}

func (s *twosorts) Forget(name string) {
	s.run.Lock()
	defer s.run.Unlock()
	if d := s.docs[name]; d != nil {
		delete(d.views, "seen")
	}
}

func (s *twosorts) load(names []string) {
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.put(&twosortsDoc{name: name})
		}()
	}
	wg.Wait()
}

func (s *twosorts) put(d *twosortsDoc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.docs[d.name]; old != nil {
		d.views = old.views
	}
	s.docs[d.name] = d
}

func (s *twosorts) show() {
	docs := make(chan *twosortsDoc)
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go s.workBad(docs, &wg)
	}
	more := make(chan *twosortsDoc)
	wg.Add(1)
	go s.other(more, &wg)
	for _, d := range s.docs {
		docs <- d
	}
	for _, d := range s.docs {
		more <- d
	}
	close(more)
	close(docs)
	wg.Wait()
}

func (s *twosorts) workBad(docs <-chan *twosortsDoc, wg *sync.WaitGroup) {
	defer wg.Done()
	for d := range docs {
		if d.views == nil {
			d.views = make(map[string]int)
		}
		d.views["seen"]++ // want `rlock-write: .*views is written`
	}
}

func (s *twosorts) other(docs <-chan *twosortsDoc, wg *sync.WaitGroup) {
	defer wg.Done()
	for d := range docs {
		_ = d.views["seen"]
	}
}
