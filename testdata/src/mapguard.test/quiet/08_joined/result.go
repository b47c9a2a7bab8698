package joined

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// A table is filled by a goroutine. A helper that waits for it says by its result whether it is.
type table struct {
	ready chan struct{}
	err   error
	rows  map[string]int
}

func newTable(load func() []string) *table {
	t := &table{ready: make(chan struct{}), rows: make(map[string]int)}
	go t.fillOk(load)
	return t
}

func (t *table) fillOk(load func() []string) {
	defer close(t.ready)
	for i, s := range load() {
		if _, ok := t.rows[s]; !ok {
			t.rows[s] = i
		}
	}
}

func (t *table) wait(ctx context.Context) error {
	select {
	case <-t.ready:
		return t.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *table) RowOk(ctx context.Context, s string) int {
	if err := t.wait(ctx); err != nil {
		return 0
	}
	return t.rows[s]
}

// What asks the helper, and adds to its error, tells the same.
func (t *table) open(ctx context.Context) (err error) {
	if err = t.wait(ctx); err != nil {
		err = fmt.Errorf("open: %w", err)
	}
	return err
}

func (t *table) OpenedRowOk(ctx context.Context, s string) int {
	if t.open(ctx) == nil {
		return t.rows[s]
	}
	return 0
}

func (t *table) waits(d time.Duration) (late bool) {
	select {
	case <-t.ready:
	case <-time.After(d):
		late = true
	}
	return late
}

func (t *table) SoonRowOk(s string) int {
	if late := t.waits(time.Second); !late {
		return t.rows[s]
	}
	return 0
}

func (t *table) isReady() bool {
	select {
	case <-t.ready:
		return true
	default:
	}
	return false
}

func (t *table) RowIfReadyOk(s string) int {
	ok := s != "" && t.isReady()
	if !ok {
		return 0
	}
	return t.rows[s]
}

// It gives the rows where it has waited for them, and none where it has not.
func (t *table) all(ctx context.Context) map[string]int {
	select {
	case <-t.ready:
		return t.rows
	case <-ctx.Done():
		return nil
	}
}

func (t *table) SumOk(ctx context.Context) (sum int) {
	for _, n := range t.all(ctx) {
		sum += n
	}
	return sum
}

// One goes on whatever came out.
type rashTable struct {
	ready chan struct{}
	rows  map[string]int
}

func newRashTable(load func() []string) *rashTable {
	t := &rashTable{ready: make(chan struct{}), rows: make(map[string]int)}
	go t.fillBad(load)
	return t
}

func (t *rashTable) fillBad(load func() []string) {
	defer close(t.ready)
	for i, s := range load() {
		t.rows[s] = i // want `unguarded-access: t\.rows is written without a lock`
	}
}

func (t *rashTable) wait(ctx context.Context) error {
	select {
	case <-t.ready:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *rashTable) Row(ctx context.Context, s string) int {
	if err := t.wait(ctx); err != nil {
		fmt.Println(err)
	}
	return t.rows[s]
}

// One goes on where the helper has not waited.
type wrongTable struct {
	ready chan struct{}
	rows  map[string]int
}

func newWrongTable(load func() []string) *wrongTable {
	t := &wrongTable{ready: make(chan struct{}), rows: make(map[string]int)}
	go t.fillBad(load)
	return t
}

func (t *wrongTable) fillBad(load func() []string) {
	defer close(t.ready)
	for i, s := range load() {
		t.rows[s] = i // want `unguarded-access: t\.rows is written without a lock`
	}
}

func (t *wrongTable) late(ctx context.Context) bool {
	select {
	case <-t.ready:
		return false
	case <-ctx.Done():
		return true
	}
}

func (t *wrongTable) Row(ctx context.Context, s string) int {
	if t.late(ctx) {
		return t.rows[s]
	}
	return 0
}

// What is returned where it has not waited may be nil, too.
type vagueTable struct {
	ready chan struct{}
	last  error
	rows  map[string]int
}

func newVagueTable(load func() []string) *vagueTable {
	t := &vagueTable{ready: make(chan struct{}), rows: make(map[string]int)}
	go t.fillBad(load)
	return t
}

func (t *vagueTable) fillBad(load func() []string) {
	defer close(t.ready)
	for i, s := range load() {
		t.rows[s] = i // want `unguarded-access: t\.rows is written without a lock`
	}
}

func (t *vagueTable) wait(ctx context.Context) error {
	select {
	case <-t.ready:
		return nil
	case <-ctx.Done():
		return t.last
	}
}

func (t *vagueTable) Row(ctx context.Context, s string) int {
	if err := t.wait(ctx); err != nil {
		return 0
	}
	return t.rows[s]
}

// It waits for something else.
type otherTable struct {
	ready, asked chan struct{}
	rows         map[string]int
}

func newOtherTable(load func() []string) *otherTable {
	t := &otherTable{ready: make(chan struct{}), asked: make(chan struct{}), rows: make(map[string]int)}
	go t.fillBad(load)
	return t
}

func (t *otherTable) Ask() { close(t.asked) }

func (t *otherTable) fillBad(load func() []string) {
	defer close(t.ready)
	for i, s := range load() {
		t.rows[s] = i // want `unguarded-access: t\.rows is written without a lock`
	}
}

func (t *otherTable) wait(ctx context.Context) error {
	select {
	case <-t.asked:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *otherTable) Row(ctx context.Context, s string) int {
	if err := t.wait(ctx); err != nil {
		return 0
	}
	return t.rows[s]
}

// A future is filled by who asked first; who waits for it gets what is in it, or an error.
type future struct {
	done chan struct{}
	res  map[string]int
	err  error
}

func (f *future) get(ctx context.Context) (map[string]int, error) {
	select {
	case <-f.done:
		return f.res, f.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (f *future) fillOk(k string) {
	defer close(f.done)
	for _, c := range k {
		f.res[string(c)]++
	}
}

type futures struct {
	mu sync.Mutex
	of map[string]*future
}

func newFutures(ctx context.Context) *futures {
	fs := &futures{of: make(map[string]*future)}
	for range 2 {
		go fs.CountOk(ctx, "a")
	}
	return fs
}

func (fs *futures) CountOk(ctx context.Context, k string) (n int) {
	fs.mu.Lock()
	f, ok := fs.of[k]
	if !ok {
		f = &future{done: make(chan struct{}), res: make(map[string]int)}
		fs.of[k] = f
		go f.fillOk(k)
	}
	fs.mu.Unlock()
	if res, err := f.get(ctx); err == nil {
		n = res[k]
	}
	return n
}

// Where it has not waited, it gives what is there by now.
type hastyFuture struct {
	done chan struct{}
	res  map[string]int
}

func (f *hastyFuture) get(ctx context.Context) (map[string]int, error) {
	select {
	case <-f.done:
	case <-ctx.Done():
	}
	return f.res, nil
}

func (f *hastyFuture) fillBad(k string) {
	defer close(f.done)
	for _, c := range k {
		f.res[string(c)]++ // want `unguarded-access: f.res is written without a lock`
	}
}

type hastyFutures struct {
	mu sync.Mutex
	of map[string]*hastyFuture
}

func newHastyFutures(ctx context.Context) *hastyFutures {
	fs := &hastyFutures{of: make(map[string]*hastyFuture)}
	for range 2 {
		go fs.Count(ctx, "a")
	}
	return fs
}

func (fs *hastyFutures) Count(ctx context.Context, k string) (n int) {
	fs.mu.Lock()
	f, ok := fs.of[k]
	if !ok {
		f = &hastyFuture{done: make(chan struct{}), res: make(map[string]int)}
		fs.of[k] = f
		go f.fillBad(k)
	}
	fs.mu.Unlock()
	if res, err := f.get(ctx); err == nil {
		n = res[k]
	}
	return n
}

// A helper waits for a group, as long as the context allows.
func waitFor(ctx context.Context, wg *sync.WaitGroup) error {
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return errors.New("not all are done")
	}
}

func CountLettersOk(ctx context.Context, k string) int {
	var wg sync.WaitGroup
	var mu sync.Mutex
	m := make(map[string]int)
	for _, c := range k {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			m[string(c)]++
		}()
	}
	if err := waitFor(ctx, &wg); err != nil {
		return 0
	}
	return m["a"]
}

func CountSoonBad(ctx context.Context, k string) int {
	var wg sync.WaitGroup
	var mu sync.Mutex
	m := make(map[string]int)
	for _, c := range k {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			m[string(c)]++ // want `goroutine-race: m is written in a goroutine`
		}()
	}
	if err := waitFor(ctx, &wg); err != nil {
		return m["a"]
	}
	return 0
}

func CountOtherBad(ctx context.Context, k string) int {
	var wg, other sync.WaitGroup
	var mu sync.Mutex
	m := make(map[string]int)
	for _, c := range k {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			m[string(c)]++ // want `goroutine-race: m is written in a goroutine`
		}()
	}
	if err := waitFor(ctx, &other); err != nil {
		return 0
	}
	return m["a"]
}

// What is started between the wait and the question is not what it has waited for.
func CountAgainBad(ctx context.Context, k string) int {
	var wg sync.WaitGroup
	var mu sync.Mutex
	m := make(map[string]int)
	count := func() {
		defer wg.Done()
		mu.Lock()
		defer mu.Unlock()
		m[k]++ // want `goroutine-race: m is written in a goroutine`
	}
	wg.Add(1)
	go count()
	err := waitFor(ctx, &wg)
	wg.Add(1)
	go count()
	if err != nil {
		return 0
	}
	return m["a"]
}

// One of two ways has waited.
type eitherTable struct {
	ready chan struct{}
	rows  map[string]int
}

func newEitherTable(load func() []string) *eitherTable {
	t := &eitherTable{ready: make(chan struct{}), rows: make(map[string]int)}
	go t.fillBad(load)
	return t
}

func (t *eitherTable) fillBad(load func() []string) {
	defer close(t.ready)
	for i, s := range load() {
		t.rows[s] = i // want `unguarded-access: t\.rows is written without a lock`
	}
}

func (t *eitherTable) isReady() bool {
	select {
	case <-t.ready:
		return true
	default:
		return false
	}
}

func (t *eitherTable) Row(s string) int {
	ok := s == "" || t.isReady()
	if !ok {
		return 0
	}
	return t.rows[s]
}
