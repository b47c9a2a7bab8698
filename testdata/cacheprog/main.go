// Command cacheprog is a GOCACHEPROG that keeps what the go command computes
// in a directory that several machines share, as a network file system would
// be. What it gets from there it copies to a directory of the machine's own,
// because the go command wants a local file.
//
//	GOCACHEPROG="cacheprog -store /shared -local /var/cache/here" go vet ./...
//
// It serves tests: it never deletes, and trusts everyone who can write to the
// store.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// A request and a response are the messages of the protocol, which
// cmd/go/internal/cacheprog describes.
type request struct {
	ID       int64
	Command  string
	ActionID []byte
	OutputID []byte
	BodySize int64
}

type response struct {
	ID            int64
	Err           string     `json:",omitempty"`
	KnownCommands []string   `json:",omitempty"`
	Miss          bool       `json:",omitempty"`
	OutputID      []byte     `json:",omitempty"`
	Size          int64      `json:",omitempty"`
	Time          *time.Time `json:",omitempty"`
	DiskPath      string     `json:",omitempty"`
}

func main() {
	store := flag.String("store", "", "the directory that the machines share")
	local := flag.String("local", "", "the directory of this machine")
	flag.Parse()
	if *store == "" || *local == "" || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: cacheprog -store DIR -local DIR")
		os.Exit(2)
	}
	s := server{store: *store, local: *local}
	if err := s.serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "cacheprog:", err)
		os.Exit(1)
	}
}

// A server has two directories. In each, o/HASH is a body by the hash of its
// content; in the store, a/HASH names the body of an action.
type server struct{ store, local string }

// An entry is the content of a file a/HASH.
type entry struct {
	Output []byte
	Size   int64
	Time   time.Time
}

// serve answers one request after the other, until the go command closes.
func (s *server) serve(in io.Reader, out io.Writer) error {
	for _, dir := range []string{filepath.Join(s.store, "a"), filepath.Join(s.store, "o"), filepath.Join(s.local, "o")} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	dec, enc := json.NewDecoder(bufio.NewReader(in)), json.NewEncoder(out)
	if err := enc.Encode(response{KnownCommands: []string{"get", "put", "close"}}); err != nil {
		return err
	}
	for {
		var req request
		if err := dec.Decode(&req); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		var body []byte // base64 in JSON
		if req.Command == "put" && req.BodySize > 0 {
			if err := dec.Decode(&body); err != nil {
				return err
			}
		}
		if err := enc.Encode(s.answer(req, body)); err != nil || req.Command == "close" {
			return err
		}
	}
}

func (s *server) answer(req request, body []byte) response {
	var res response
	var err error
	switch req.Command {
	case "get":
		res, err = s.get(req.ActionID)
	case "put":
		res, err = s.put(req, body)
	case "close":
	default:
		err = fmt.Errorf("unknown command %q", req.Command)
	}
	if err != nil {
		res = response{Err: err.Error()}
	}
	res.ID = req.ID
	return res
}

func (s *server) get(action []byte) (response, error) {
	text, err := os.ReadFile(s.action(action))
	if errors.Is(err, fs.ErrNotExist) {
		return response{Miss: true}, nil
	}
	var e entry
	if err == nil {
		err = json.Unmarshal(text, &e)
	}
	if err != nil {
		return response{}, err
	}
	here := body(s.local, e.Output)
	if _, err := os.Stat(here); err != nil {
		content, err := os.ReadFile(body(s.store, e.Output))
		if err != nil {
			return response{}, err
		}
		if err := write(here, content); err != nil {
			return response{}, err
		}
	}
	return response{OutputID: e.Output, Size: e.Size, Time: &e.Time, DiskPath: here}, nil
}

// put writes the bodies before the action that names them, so that a reader that
// finds the action finds the body.
func (s *server) put(req request, content []byte) (response, error) {
	if int64(len(content)) != req.BodySize {
		return response{}, fmt.Errorf("a body of %d bytes, announced as %d", len(content), req.BodySize)
	}
	here := body(s.local, req.OutputID)
	text, err := json.Marshal(entry{req.OutputID, req.BodySize, time.Now()})
	err = errors.Join(err, write(here, content), write(body(s.store, req.OutputID), content))
	if err == nil {
		err = write(s.action(req.ActionID), text)
	}
	return response{DiskPath: here}, err
}

func (s *server) action(id []byte) string {
	return filepath.Join(s.store, "a", hex.EncodeToString(id))
}

func body(dir string, id []byte) string {
	return filepath.Join(dir, "o", hex.EncodeToString(id))
}

// write writes beside and renames: another machine may read at this moment.
func write(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "new-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already if all went well
	_, err = f.Write(content)
	if err = errors.Join(err, f.Chmod(0o666), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
