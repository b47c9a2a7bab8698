package model

import "strings"

// table maps a function's full name, on its generic origin, to its effect.
// The mutex methods need no rows: see mutexMethod.
var table = withSets(withConcurrentMaps(map[string]Effect{
	"(*sync.Cond).Wait": {CondWait, 0},

	"(*golang.org/x/sync/semaphore.Weighted).Acquire":    {Acquire, 2},
	"(*golang.org/x/sync/semaphore.Weighted).TryAcquire": {TryAcquire, 1},
	"(*golang.org/x/sync/semaphore.Weighted).Release":    {Release, 1},

	"maps.Copy":       {MapWrite, 0},
	"maps.DeleteFunc": {MapWrite, 0},
	"maps.Insert":     {MapWrite, 0},
	"maps.Clone":      {MapRead, 0},
	"maps.Keys":       {MapRead, 0},
	"maps.Values":     {MapRead, 0},
	"maps.All":        {MapRead, 0},
	"maps.Equal":      {MapRead, 0},
	"maps.EqualFunc":  {MapRead, 0},

	"encoding/json.Marshal":       {MapRead, 0},
	"encoding/json.MarshalIndent": {MapRead, 0},

	"golang.org/x/exp/maps.Copy":       {MapWrite, 0},
	"golang.org/x/exp/maps.DeleteFunc": {MapWrite, 0},
	"golang.org/x/exp/maps.Clear":      {MapWrite, 0},
	"golang.org/x/exp/maps.Clone":      {MapRead, 0},
	"golang.org/x/exp/maps.Keys":       {MapRead, 0},
	"golang.org/x/exp/maps.Values":     {MapRead, 0},

	"(*sync.Map).Load":             {ConcurrentLoad, 0},
	"(*sync.Map).Store":            {ConcurrentStore, 0},
	"(*sync.Map).Delete":           {ConcurrentDelete, 0},
	"(*sync.Map).Range":            {ConcurrentRange, 1},
	"(*sync.Map).LoadOrStore":      {ConcurrentAtomic, 0},
	"(*sync.Map).LoadAndDelete":    {ConcurrentAtomic, 0},
	"(*sync.Map).Swap":             {ConcurrentAtomic, 0},
	"(*sync.Map).CompareAndSwap":   {ConcurrentAtomic, 0},
	"(*sync.Map).CompareAndDelete": {ConcurrentAtomic, 0},
	"(*sync.Map).Clear":            {ConcurrentDelete, 0},

	"time.AfterFunc":                                     {Spawn, 1},
	"context.AfterFunc":                                  {Spawn, 1},
	"(*sync.WaitGroup).Go":                               {Spawn, 1},
	"(*golang.org/x/sync/errgroup.Group).Go":             {Spawn, 1},
	"(*golang.org/x/sync/errgroup.Group).TryGo":          {Spawn, 1},
	"(*github.com/sourcegraph/conc.WaitGroup).Go":        {Spawn, 1},
	"(*github.com/sourcegraph/conc/pool.Pool).Go":        {Spawn, 1},
	"(*github.com/oklog/run.Group).Add":                  {Spawn, 1},
	"k8s.io/apimachinery/pkg/util/wait.Until":            {RunNow, 0},
	"k8s.io/apimachinery/pkg/util/wait.Forever":          {RunNow, 0},
	"k8s.io/apimachinery/pkg/util/wait.UntilWithContext": {RunNow, 1},
	"k8s.io/apimachinery/pkg/util/wait.JitterUntil":      {RunNow, 0},
	"k8s.io/apimachinery/pkg/util/wait.NonSlidingUntil":  {RunNow, 0},
	"k8s.io/apimachinery/pkg/util/wait.BackoffUntil":     {RunNow, 0},

	"k8s.io/apimachinery/pkg/util/wait.JitterUntilWithContext":     {RunNow, 1},
	"k8s.io/apimachinery/pkg/util/wait.NonSlidingUntilWithContext": {RunNow, 1},

	"runtime.SetFinalizer": {Spawn, 1},
	"runtime.AddCleanup":   {Spawn, 1},

	"net/http.HandleFunc":                         {Register, 1},
	"(*net/http.ServeMux).HandleFunc":             {Register, 2},
	"(*github.com/gorilla/mux.Router).HandleFunc": {Register, 2},

	"(*sync.Once).Do": {Once, 1},
	"sync.OnceFunc":   {Once, 0},
	"sync.OnceValue":  {Once, 0},
	"sync.OnceValues": {Once, 0},

	"(*golang.org/x/sync/singleflight.Group).Do":     {Flight, 2},
	"(*golang.org/x/sync/singleflight.Group).DoChan": {FlightApart, 2},

	"(*github.com/golang/groupcache/singleflight.Group).Do":         {Flight, 2},
	"(*github.com/moby/buildkit/util/flightcontrol.Group).Do":       {Flight, 3},
	"(*github.com/moby/buildkit/util/flightcontrol.CachedGroup).Do": {Flight, 3},
	"(github.com/zeromicro/go-zero/core/syncx.SingleFlight).Do":     {Flight, 2},
	"(github.com/zeromicro/go-zero/core/syncx.SingleFlight).DoEx":   {Flight, 2},

	"(*github.com/Arceliar/phony.Inbox).Act":                   {Turn, 2},
	"(github.com/Arceliar/phony.Actor).Act":                    {Turn, 2},
	"github.com/Arceliar/phony.Block":                          {TurnAwaited, 1},
	"(*tailscale.com/util/execqueue.ExecQueue).Add":            {Turn, 1},
	"(*tailscale.com/util/execqueue.ExecQueue).RunSync":        {TurnAwaited, 2},
	"(*github.com/rivo/tview.Application).QueueUpdate":         {TurnAwaited, 1},
	"(*github.com/rivo/tview.Application).QueueUpdateDraw":     {TurnAwaited, 1},
	"(*github.com/derailed/tview.Application).QueueUpdate":     {TurnAwaited, 1},
	"(*github.com/derailed/tview.Application).QueueUpdateDraw": {TurnAwaited, 1},

	"(*sync.RWMutex).RLocker": {RLocker, 0},

	"(*sync.Pool).Get": {Renew, 0},
	"(*sync.Pool).Put": {Keep, 1},

	"(*sync/atomic.Pointer).Store":          {Keep, 1},
	"(*sync/atomic.Pointer).Swap":           {Keep, 1},
	"(*sync/atomic.Pointer).CompareAndSwap": {Keep, 2},
	"(*sync/atomic.Value).Store":            {Keep, 1},
	"(*sync/atomic.Value).Swap":             {Keep, 1},
	"(*sync/atomic.Value).CompareAndSwap":   {Keep, 2},

	"(*sync.WaitGroup).Add":                         {Signal, 0},
	"(*sync.WaitGroup).Done":                        {Signal, 0},
	"(*sync.WaitGroup).Wait":                        {Join, 0},
	"(*golang.org/x/sync/errgroup.Group).SetLimit":  {Limit, 1},
	"(*golang.org/x/sync/errgroup.Group).Wait":      {Join, 0},
	"(*github.com/sourcegraph/conc.WaitGroup).Wait": {Join, 0},

	// net/http server.go polls until all connections are idle, or the context ends. Close does not wait.
	"(*net/http.Server).Shutdown": {Drain, 1},
}))

// noReturn holds the library functions that end the program or the goroutine.
var noReturn = set(`
os.Exit syscall.Exit runtime.Goexit
log.Fatal log.Fatalf log.Fatalln log.Panic log.Panicf log.Panicln
(*log.Logger).Fatal (*log.Logger).Fatalf (*log.Logger).Fatalln
(*log.Logger).Panic (*log.Logger).Panicf (*log.Logger).Panicln
(*testing.common).Fatal (*testing.common).Fatalf (*testing.common).FailNow
(*testing.common).Skip (*testing.common).Skipf (*testing.common).SkipNow
(testing.TB).Fatal (testing.TB).Fatalf (testing.TB).FailNow
(*go.uber.org/zap.Logger).Fatal (*go.uber.org/zap.Logger).Panic
(*go.uber.org/zap.SugaredLogger).Fatal (*go.uber.org/zap.SugaredLogger).Fatalf
(*go.uber.org/zap.SugaredLogger).Fatalw (*go.uber.org/zap.SugaredLogger).Panic
(*go.uber.org/zap.SugaredLogger).Panicf (*go.uber.org/zap.SugaredLogger).Panicw
github.com/sirupsen/logrus.Fatal github.com/sirupsen/logrus.Fatalf
github.com/sirupsen/logrus.Fatalln github.com/sirupsen/logrus.Panic
github.com/sirupsen/logrus.Panicf github.com/sirupsen/logrus.Panicln
(*github.com/sirupsen/logrus.Logger).Fatal (*github.com/sirupsen/logrus.Logger).Fatalf
(*github.com/sirupsen/logrus.Logger).Panic (*github.com/sirupsen/logrus.Logger).Panicf
(*github.com/sirupsen/logrus.Entry).Fatal (*github.com/sirupsen/logrus.Entry).Fatalf
(*github.com/sirupsen/logrus.Entry).Panic (*github.com/sirupsen/logrus.Entry).Panicf
google.golang.org/grpc/grpclog.Fatal google.golang.org/grpc/grpclog.Fatalf google.golang.org/grpc/grpclog.Fatalln
(google.golang.org/grpc/grpclog.LoggerV2).Fatal (google.golang.org/grpc/grpclog.LoggerV2).Fatalf
(google.golang.org/grpc/grpclog.LoggerV2).Fatalln
(google.golang.org/grpc/grpclog/internal.LoggerV2).Fatal (google.golang.org/grpc/grpclog/internal.LoggerV2).Fatalf
(google.golang.org/grpc/grpclog/internal.LoggerV2).Fatalln
k8s.io/klog.Fatal k8s.io/klog.Fatalf k8s.io/klog.Fatalln k8s.io/klog.Exit k8s.io/klog.Exitf
k8s.io/klog/v2.Fatal k8s.io/klog/v2.Fatalf k8s.io/klog/v2.Fatalln
k8s.io/klog/v2.Exit k8s.io/klog/v2.Exitf k8s.io/klog/v2.Exitln
`)

var (
	tablePackages    = packagesOf(table)
	noReturnPackages = packagesOf(noReturn)
	errorPackages    = packagesOf(errorMakers)
)

func set(words string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// packagesOf returns the packages that the table speaks of, so that most
// functions are dismissed without composing their full name.
func packagesOf[V any](t map[string]V) map[string]bool {
	pkgs := make(map[string]bool)
	for name := range t {
		pkgs[packageOf(name)] = true
	}
	return pkgs
}

// packageOf extracts p from p.F, (p.T).M and (*p.T).M.
func packageOf(name string) string {
	if rest, ok := strings.CutPrefix(name, "("); ok {
		rest = strings.TrimPrefix(rest, "*")
		name, _, _ = strings.Cut(rest, ")")
	}
	slash := strings.LastIndex(name, "/")
	dot := strings.Index(name[slash+1:], ".")
	if dot < 0 {
		return name
	}
	return name[:slash+1+dot]
}

// immutable holds the types whose values are constants once made.
var immutable = set(`
time.Time time.Location regexp.Regexp reflect.Type reflect.Value
net/netip.Addr net/netip.Prefix net/netip.AddrPort net.IPNet
math/big.Int net/url.URL
`)

// harmless holds packages without effects that others wait for, beside those that
// print.
var harmless = set(`
strings bytes strconv time math sort slices maps reflect unicode
unicode/utf8 golang.org/x/exp/maps golang.org/x/exp/slices cmp hash hash/fnv hash/maphash path path/filepath regexp runtime unique weak
`)

// printing holds packages that format and log, and do nothing else with what they get.
var printing = set(`
fmt errors log log/slog
k8s.io/klog k8s.io/klog/v2 go.uber.org/zap github.com/sirupsen/logrus github.com/rs/zerolog
github.com/pkg/errors github.com/go-logr/logr github.com/go-kit/log github.com/go-kit/log/level
`)

// brief holds packages that compute, beside those that are harmless: none of
// their functions waits for another goroutine.
var brief = set(`
context container/heap container/list container/ring crypto/hmac crypto/md5 crypto/rand crypto/sha1 crypto/sha256
crypto/sha3 crypto/sha512 crypto/subtle encoding/ascii85 encoding/base32 encoding/base64 encoding/binary encoding/hex
encoding/json encoding/pem hash/adler32 hash/crc32 hash/crc64
html iter math/big math/bits math/cmplx math/rand math/rand/v2 net/netip net/url sync/atomic text/template/parse unicode/utf16
go.uber.org/atomic github.com/google/uuid github.com/holiman/uint256 github.com/shopspring/decimal
k8s.io/utils/ptr k8s.io/utils/pointer k8s.io/apimachinery/pkg/types
`)

// briefFuncs do so in packages of which other functions wait.
var briefFuncs = set(`net.JoinHostPort net.ParseCIDR net.ParseMAC net.SplitHostPort`)

// briefMethods hold what metrics do with a value, by package: they take locks of their own
// for a few steps, and call nothing back.
var briefMethods = map[string]map[string]bool{
	"github.com/prometheus/client_golang/prometheus": set(`
		Inc Dec Add Sub Set SetToCurrentTime Observe With WithLabelValues GetMetricWith GetMetricWithLabelValues
		Delete DeleteLabelValues DeletePartialMatch Reset`),
}

// errorMakers hold the functions that make an error and never give nil.
var errorMakers = set(`
errors.New fmt.Errorf github.com/pkg/errors.New github.com/pkg/errors.Errorf
google.golang.org/grpc/status.Error google.golang.org/grpc/status.Errorf
github.com/cockroachdb/errors.New github.com/cockroachdb/errors.Newf github.com/cockroachdb/errors.Errorf
golang.org/x/xerrors.New golang.org/x/xerrors.Errorf
`)

// looks holds the functions of package os that change nothing.
var looks = set(`Stat Lstat ReadFile ReadDir Readlink Getenv LookupEnv Environ Hostname Getwd Getpid IsNotExist IsExist`)

// briefOS holds the functions of package os that ask nothing of the system that could keep it waiting.
var briefOS = set(`Getenv LookupEnv Environ Getpid Getppid Getuid IsNotExist IsExist IsPermission IsTimeout`)

// logging holds the method names of loggers.
var logging = set(`
Log Logf Logln Print Printf Println Debug Debugf Debugw Debugln Info Infof Infow Infoln Trace Tracef
Warn Warnf Warnw Warning Warningf Warningln Error Errorf Errorw Errorln With WithError WithField WithFields
Notice Noticef V Str Msg Msgf Err
`)

// fieldCallers says who calls the functions in the fields of a library's structs, those that
// such an object is given for actions, and the methods of what has such an interface: the
// commands of a command line, of which main runs one, and the handlers of an informer, which
// one goroutine calls for each that is added.
var fieldCallers = map[string]Caller{
	"github.com/spf13/cobra.Command":   MainCaller,
	"github.com/urfave/cli.Command":    MainCaller,
	"github.com/urfave/cli.App":        MainCaller,
	"github.com/urfave/cli/v2.Command": MainCaller,
	"github.com/urfave/cli/v2.App":     MainCaller,
	"github.com/urfave/cli/v3.Command": MainCaller,

	"gopkg.in/alecthomas/kingpin.v2.CmdClause":   MainCaller,
	"github.com/alecthomas/kingpin/v2.CmdClause": MainCaller,

	"github.com/mitchellh/cli.Command":      MainCaller,
	"github.com/hashicorp/cli.Command":      MainCaller,
	"github.com/google/subcommands.Command": MainCaller,

	"k8s.io/client-go/tools/cache.ResourceEventHandlerFuncs":         OneCaller,
	"k8s.io/client-go/tools/cache.ResourceEventHandlerDetailedFuncs": OneCaller,
}

// serials are the requests that a server of a library hands to one handler one after the
// other, unless its options say otherwise: by the request's type, the options' type and the
// field that says so (controller-runtime, pkg/controller: "defaults to 1").
var serials = map[string]Serial{
	"sigs.k8s.io/controller-runtime/pkg/reconcile.Request": {Package: "sigs.k8s.io/controller-runtime/pkg/controller", Field: "MaxConcurrentReconciles"},
}

// workQueues hold packages with queues that hand out equal items one at a time.
var workQueues = set(`k8s.io/client-go/util/workqueue`)

// nameFields are the fields that tell one object from all others of its kind, nameStructs the
// structs that hold them, and nameFuncs the functions that return them.
var (
	nameFields = set(`
k8s.io/apimachinery/pkg/apis/meta/v1.Name k8s.io/apimachinery/pkg/apis/meta/v1.Namespace k8s.io/apimachinery/pkg/apis/meta/v1.UID
k8s.io/apimachinery/pkg/types.Name k8s.io/apimachinery/pkg/types.Namespace
`)
	nameStructs = set(`
k8s.io/apimachinery/pkg/apis/meta/v1.ObjectMeta k8s.io/apimachinery/pkg/types.NamespacedName
k8s.io/client-go/tools/cache.ObjectName sigs.k8s.io/controller-runtime/pkg/reconcile.Request
`)
	nameFuncs = set(`
k8s.io/client-go/tools/cache.MetaNamespaceKeyFunc k8s.io/client-go/tools/cache.DeletionHandlingMetaNamespaceKeyFunc
k8s.io/client-go/tools/cache.ObjectToName sigs.k8s.io/controller-runtime/pkg/client.ObjectKeyFromObject
`)
)
