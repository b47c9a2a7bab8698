package sharing

// An object that is only ever filled before it is used, also through exported
// steps that get it from a caller who owns it: other callers are an assumption.

type Options struct {
	flags map[string]bool
}

// Parse fills the options.
func (o *Options) Parse(text []string) error { return o.parse(text) }

// ParseLine has no caller here.
func (o *Options) ParseLine(line string) error { return o.parse([]string{line}) }

func (o *Options) parse(text []string) error {
	for _, k := range text {
		o.parseLineOk(k)
	}
	return nil
}

func (o *Options) parseLineOk(k string) {
	if o.flags == nil {
		o.flags = make(map[string]bool)
	}
	o.flags[k] = true
}

func (o *Options) countOk() (n int) {
	for range o.flags {
		n++
	}
	return n
}

func ReadOptions(text []string) (*Options, error) {
	o := &Options{}
	if err := o.Parse(text); err != nil {
		return nil, err
	}
	return o, nil
}

type optServer struct {
	opts *Options
	out  chan int
}

func RunWith(o *Options) chan int {
	s := &optServer{opts: o, out: make(chan int)}
	go s.report()
	return s.out
}

func (s *optServer) report() {
	for {
		s.out <- s.opts.countOk()
	}
}

// A goroutine runs on every Feed that callers get: they can call the exported step
// only beside it.
type Feed struct {
	topics map[string]int
	out    chan int
}

func NewFeed() *Feed {
	f := &Feed{topics: make(map[string]int), out: make(chan int)}
	f.AddBad("all")
	go f.loop()
	return f
}

func (f *Feed) AddBad(topic string) {
	f.topics[topic]++ // want `unguarded-access: .*topics`
}

func (f *Feed) loop() {
	for {
		n := 0
		for range f.topics {
			n++
		}
		f.out <- n
	}
}
