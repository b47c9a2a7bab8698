package sources

import (
	"os"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"k8s.io/apimachinery/pkg/api/errors"
)

type volumes struct {
	mu     sync.Mutex
	m      map[string]*float64 // guarded by mu
	failed map[string]error    // guarded by mu
}

func (v *volumes) put(k string, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.m[k] = new(float64)
	v.failed[k] = err
}

// What an error is asked for ends by itself.
func (v *volumes) deleteBad(k string, err error) {
	if v.failed[k] != nil { // want `check-then-act: .*`
		if errors.IsNotFound(err) {
			delete(v.failed, k)
		}
	}
}

// So does what gives the address of a copy.
func (v *volumes) setBad(k string, n float64) {
	if v.m[k] == nil { // want `check-then-act: .*`
		p := aws.Float64(n)
		v.m[k] = p
	}
}

func (v *volumes) nameBad(k string) string {
	if v.m[k] == nil { // want `check-then-act: .*`
		name := os.Getenv(k)
		v.m[name] = new(float64)
		delete(v.m, k)
		return name
	}
	return ""
}
