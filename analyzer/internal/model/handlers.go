package model

import (
	"go/types"
	"strings"
)

// Calls says how a library calls a handler.
type Calls uint8

const (
	// Several: from several goroutines at a time, on one object.
	Several Calls = iota
	// EachAlone: one at a time for each registration, and those of two registrations side
	// by side.
	EachAlone
	// InTurn: one at a time, whichever handler it is, unless [Serial] says otherwise.
	InTurn
)

// A Handler is a kind of function that a library calls when something arrives.
type Handler struct {
	// params are the types of its parameters, as spell writes them.
	params string
	// home is the path below which the library's own packages are, without its version:
	// there, functions of these types hand a request on. None has that of net/http.
	home string
	// Calls says how the library calls it.
	Calls Calls
	// Serial says, of one that is called in turn, what makes that several at a time.
	Serial Serial
}

// handlers are the kinds of handlers that are known by the types of their parameters. All of
// the first part are called in a goroutine for each request, message, connection or claim.
var handlers = []Handler{
	{params: "net/http.ResponseWriter *net/http.Request"},
	{params: "net/http.ResponseWriter *net/http.Request github.com/julienschmidt/httprouter.Params", home: "github.com/julienschmidt/httprouter"}, // Handle, "like http.HandlerFunc"
	// Served by net/http: gin.go HandlerFunc; echo.go HandlerFunc of v4 and of v5; iris
	// context/handler.go Handler, whose Context was an interface before v12.2; gf
	// net/ghttp/ghttp.go HandlerFunc; beego server/web/router.go HandleFunc; go-restful
	// route.go RouteFunction and filter.go FilterFunction.
	{params: "*github.com/gin-gonic/gin.Context", home: "github.com/gin-gonic/gin"},
	{params: "github.com/labstack/echo.Context", home: "github.com/labstack/echo"},
	{params: "*github.com/labstack/echo.Context", home: "github.com/labstack/echo"},
	{params: "*github.com/kataras/iris/context.Context", home: "github.com/kataras/iris"},
	{params: "github.com/kataras/iris/context.Context", home: "github.com/kataras/iris"},
	{params: "*github.com/gogf/gf/net/ghttp.Request", home: "github.com/gogf/gf"},
	{params: "*github.com/beego/beego/server/web/context.Context", home: "github.com/beego/beego"},
	{params: "*github.com/emicklei/go-restful.Request *github.com/emicklei/go-restful.Response", home: "github.com/emicklei/go-restful"},
	{params: "*github.com/emicklei/go-restful.Request *github.com/emicklei/go-restful.Response *github.com/emicklei/go-restful.FilterChain", home: "github.com/emicklei/go-restful"},
	// fasthttp serves connections in a pool of goroutines (Server.Concurrency), fiber in
	// fasthttp's (app.go Handler of v2 and of v3), hertz in its own (pkg/app/context.go).
	{params: "*github.com/valyala/fasthttp.RequestCtx", home: "github.com/valyala/fasthttp"},
	{params: "*github.com/gofiber/fiber.Ctx", home: "github.com/gofiber/fiber"},
	{params: "github.com/gofiber/fiber.Ctx", home: "github.com/gofiber/fiber"},
	{params: "context.Context *github.com/cloudwego/hertz/pkg/app.RequestContext", home: "github.com/cloudwego/hertz"},
	// miekg/dns server.go: go serveTCPConn, go serveUDPPacket. CoreDNS's plugins run there.
	{params: "github.com/miekg/dns.ResponseWriter *github.com/miekg/dns.Msg", home: "github.com/miekg/dns"},
	{params: "context.Context github.com/miekg/dns.ResponseWriter *github.com/miekg/dns.Msg", home: "github.com/miekg/dns"},
	// grpc interceptor.go UnaryServerInterceptor, StreamServerInterceptor: around the methods
	// of a service.
	{params: "context.Context any *google.golang.org/grpc.UnaryServerInfo google.golang.org/grpc.UnaryHandler", home: "google.golang.org/grpc"},
	{params: "any google.golang.org/grpc.ServerStream *google.golang.org/grpc.StreamServerInfo google.golang.org/grpc.StreamHandler", home: "google.golang.org/grpc"},
	// connect handler.go NewUnaryHandler and the three for streams; served by net/http.
	{params: "context.Context *connectrpc.com/connect.Request", home: "connectrpc.com/connect"},
	{params: "context.Context *connectrpc.com/connect.ClientStream", home: "connectrpc.com/connect"},
	{params: "context.Context *connectrpc.com/connect.Request *connectrpc.com/connect.ServerStream", home: "connectrpc.com/connect"},
	{params: "context.Context *connectrpc.com/connect.BidiStream", home: "connectrpc.com/connect"},
	// controller-runtime pkg/webhook/admission/webhook.go Handler, served by net/http.
	{params: "context.Context sigs.k8s.io/controller-runtime/pkg/webhook/admission.Request", home: "sigs.k8s.io/controller-runtime"},
	// crypto/tls: GetCertificate and GetConfigForClient are called in the handshake of each connection; net/http/httputil:
	// Rewrite in the request that a ReverseProxy passes on.
	{params: "*crypto/tls.ClientHelloInfo"},
	{params: "*net/http/httputil.ProxyRequest"},
	// gliderlabs/ssh session.go: go handler for each session.
	{params: "github.com/gliderlabs/ssh.Session", home: "github.com/gliderlabs/ssh"},
	// asynq processor.go: a goroutine for each task, up to Config.Concurrency.
	{params: "context.Context *github.com/hibiken/asynq.Task", home: "github.com/hibiken/asynq"},
	// watermill message/router.go: go handleMessage.
	{params: "*github.com/ThreeDotsLabs/watermill/message.Message", home: "github.com/ThreeDotsLabs/watermill"},
	// discordgo event.go: go eh.Handle, unless SyncEvents is set.
	{params: "*github.com/bwmarrin/discordgo.Session *github.com/bwmarrin/discordgo.MessageCreate", home: "github.com/bwmarrin/discordgo"},
	{params: "*github.com/bwmarrin/discordgo.Session *github.com/bwmarrin/discordgo.InteractionCreate", home: "github.com/bwmarrin/discordgo"},
	// mcp-go server/server.go ToolHandlerFunc: served by net/http, or by the workers of a stdio server.
	{params: "context.Context github.com/mark3labs/mcp-go/mcp.CallToolRequest", home: "github.com/mark3labs/mcp-go"},
	// sarama consumer_group.go: ConsumeClaim is called "in a separate goroutine which requires
	// it to be thread-safe".
	{params: "github.com/IBM/sarama.ConsumerGroupSession github.com/IBM/sarama.ConsumerGroupClaim", home: "github.com/IBM/sarama"},
	{params: "github.com/Shopify/sarama.ConsumerGroupSession github.com/Shopify/sarama.ConsumerGroupClaim", home: "github.com/Shopify/sarama"},

	// nats.go: Subscribe starts waitForMsgs for each subscription, which calls its MsgHandler
	// for one message after the other.
	{params: "*github.com/nats-io/nats.go.Msg", home: "github.com/nats-io/nats.go", Calls: EachAlone},
	// paho router.go matchAndDispatch: one goroutine of the client calls all handlers, unless
	// SetOrderMatters says false: then "the message handler is called in its own go routine".
	{
		params: "github.com/eclipse/paho.mqtt.golang.Client github.com/eclipse/paho.mqtt.golang.Message", home: "github.com/eclipse/paho.mqtt.golang",
		Calls: InTurn, Serial: Serial{Package: "github.com/eclipse/paho.mqtt.golang", Field: "Order", Setter: "SetOrderMatters"},
	},
}

// Queue names the goroutine that calls a handler in turn with all others of its library.
func (h *Handler) Queue() string {
	if h.Calls == InTurn {
		return h.home
	}
	return ""
}

// byParams finds the row of a list of parameters.
var byParams = func() map[string]*Handler {
	out := make(map[string]*Handler)
	for i := range handlers {
		out[handlers[i].params] = &handlers[i]
	}
	return out
}()

// longest is the length of the longest list of the table.
const longest = 4

// HandlerOf returns how a library calls a function of a signature in the package in, nil if
// none that is known does: functions of these types serve one request each. Those of the library
// itself hand requests on.
func HandlerOf(sig *types.Signature, in *types.Package) *Handler {
	n := sig.Params().Len()
	if n == 0 || n > longest || sig.Variadic() {
		return nil
	}
	var parts [longest]string
	for i := range n {
		if parts[i] = spell(sig.Params().At(i).Type()); parts[i] == "" {
			return nil
		}
	}
	h := byParams[strings.Join(parts[:n], " ")]
	if h == nil || in != nil && h.home != "" && strings.HasPrefix(unversioned(in.Path())+"/", h.home+"/") {
		return nil
	}
	return h
}

// ServesHTTP reports whether t is net/http's Handler.
func ServesHTTP(t types.Type) bool { return spell(t) == "net/http.Handler" }

// OfRequest reports whether t is what a handler of some kind gets for a request, as far as that is a
// type of a library's own.
func OfRequest(t types.Type) bool { return ofRequest[spell(t)] }

// ofRequest has the parameters of all rows, but for those of many other functions.
var ofRequest = func() map[string]bool {
	out := make(map[string]bool)
	for i := range handlers {
		for _, p := range strings.Split(handlers[i].params, " ") {
			if p != "any" && p != "context.Context" {
				out[p] = true
			}
		}
	}
	return out
}()

// spell writes a parameter's type: a star for a pointer, and a named type by the path of its
// package, without versions, and the name that its generic origin has. It gives nothing of
// others, but for the empty interface.
func spell(t types.Type) string {
	star := ""
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		star, t = "*", types.Unalias(p.Elem())
	}
	switch t := t.(type) {
	case *types.Named:
		if t.Obj().Pkg() != nil {
			return star + unversioned(t.Obj().Pkg().Path()) + "." + t.Obj().Name()
		}
	case *types.Interface:
		if t.Empty() && star == "" {
			return "any"
		}
	}
	return ""
}

// unversioned returns a package's path without the elements that are major versions.
func unversioned(path string) string {
	if !strings.Contains(path, "/v") {
		return path
	}
	var out []string
	for _, e := range strings.Split(path, "/") {
		if !major(e) {
			out = append(out, e)
		}
	}
	return strings.Join(out, "/")
}

// major reports whether an element of a path is a major version: v2 or later.
func major(e string) bool {
	digits, ok := strings.CutPrefix(e, "v")
	return ok && digits != "" && digits != "1" && strings.Trim(digits, "0123456789") == ""
}
