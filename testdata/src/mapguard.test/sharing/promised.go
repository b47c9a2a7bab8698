package sharing

// What a method's documentation says of its calls concerns the object whose method it is,
// not what each call gets for itself.

type sheet struct{ notes map[string]string }

type desk interface {
	Get(id string) (*sheet, error)
	Top() *sheet
}

type Clerk struct {
	desk desk
	seen map[string]bool
}

// Sync brings a sheet up to date. It is not meant to be invoked concurrently with the same id.
func (c *Clerk) SyncOk(id string) error {
	s, err := c.desk.Get(id)
	if err != nil {
		return err
	}
	if _, ok := s.notes["by"]; !ok {
		s.notes = map[string]string{"by": id}
	}
	return nil
}

// Renew brings a sheet up to date, or makes one. It is not meant to be invoked concurrently with the same id.
func (c *Clerk) RenewOk(id string) error {
	s, err := c.desk.Get(id)
	if err != nil {
		s = c.desk.Top()
	}
	if s.notes["by"] == "" {
		s.notes = map[string]string{"by": id}
	}
	return nil
}

// Stamp may be called concurrently.
func (c *Clerk) StampOk(by string) {
	if s := c.desk.Top(); s.notes[by] == "" {
		s.notes[by] = "seen"
	}
}

// Note may be called concurrently.
func (c *Clerk) NoteBad(id string) {
	if !c.seen[id] { // want `check-then-act: .*c\.seen is read here, then written`
		c.seen[id] = true
	}
}

// A Drawer keeps sheets.
// TODO: use generics here, and make it threadsafe.
type Drawer struct{ sheets map[string]*sheet }

func (d *Drawer) PutOk(id string) {
	if _, ok := d.sheets[id]; !ok {
		d.sheets[id] = &sheet{}
	}
}
