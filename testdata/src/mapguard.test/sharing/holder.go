package sharing

// A type that promises to be safe for concurrent use promises it for what it
// holds: a configuration that its exported method changes. Other configurations
// are their owner's.

// Settings are for one goroutine.
type Settings struct {
	Tags map[string]string
}

// FillOk runs on settings of the caller.
func (s *Settings) FillOk() {
	if s.Tags == nil {
		s.Tags = make(map[string]string)
	}
}

// An Agent runs. All methods of an Agent are safe to call concurrently.
type Agent struct {
	settings *Settings
}

// NewAgentOk makes one.
func NewAgentOk(s *Settings) *Agent {
	s.FillOk()
	return &Agent{settings: s}
}

// SetTagsBad replaces the map.
func (a *Agent) SetTagsBad(tags map[string]string) {
	a.settings.Tags = tags // want `unguarded-access: .*settings\.Tags`
}

// Tag reads it, which belongs to the same finding.
func (a *Agent) Tag(k string) string { return a.settings.Tags[k] }

// A Plain agent promises nothing.
type Plain struct {
	settings *Settings
	own      *Local
}

// A Local has what a Plain has for itself.
type Local struct{ Tags map[string]string }

// SetTagsOk replaces the map.
func (p *Plain) SetTagsOk(tags map[string]string) { p.own.Tags = tags }

// TagOk reads it.
func (p *Plain) TagOk(k string) string { return p.own.Tags[k] }
