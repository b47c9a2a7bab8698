package refused

import (
	"os"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"k8s.io/apimachinery/pkg/api/errors"
)

type askedFor struct {
	mu     sync.Mutex
	failed map[string]error // guarded by mu
}

func (v *askedFor) put(k string, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.failed[k] = err
}

// What can fail may take long.
func (v *askedFor) retryBad(k string, err error) error {
	if v.failed[k] != nil { // want `check-then-act: .*`
		err = errors.Retry(err)
		delete(v.failed, k)
	}
	return err
}

// What gives an object may wait for it.
func (v *askedFor) takeBad(k string) *aws.Token {
	if v.failed[k] != nil { // want `check-then-act: .*`
		t := aws.Take(1)
		delete(v.failed, k)
		return t
	}
	return nil
}

// A file may be one of a network.
func (v *askedFor) removeBad(k string) {
	if v.failed[k] != nil { // want `check-then-act: .*`
		os.Remove(k)
		delete(v.failed, k)
	}
}
