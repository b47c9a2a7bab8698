package model

import "go/types"

// drivers are the interfaces by which a library calls the methods of an object that it is handed, no two of
// them at a time, and the functions to which one hands it for that. Handed to others, of the same library, the object
// may be called in any goroutine: cometbft has a client with a mutex for each connection, and a server of gRPC.
var drivers = map[string]map[string]bool{
	// One mutex for all clients: proxy/client.go localClientCreator, abci/server/socket_server.go appMtx.
	"github.com/cometbft/cometbft/abci/types.Application": set(`
		github.com/cometbft/cometbft/proxy.NewLocalClientCreator github.com/cometbft/cometbft/abci/server.NewSocketServer`),
	"github.com/tendermint/tendermint/abci/types.Application": set(`
		github.com/tendermint/tendermint/proxy.NewLocalClientCreator github.com/tendermint/tendermint/abci/server.NewSocketServer`),
	// fsm.go: runFSM calls Apply, Snapshot and Restore. What Snapshot gives is another object.
	"github.com/hashicorp/raft.FSM": set(`github.com/hashicorp/raft.NewRaft`),
	// internal/ui/context.go: Layout, Update and Draw of each frame in turn.
	"github.com/hajimehoshi/ebiten.Game": set(`
		github.com/hajimehoshi/ebiten.RunGame github.com/hajimehoshi/ebiten.RunGameWithOptions`),
	// tea.go: the event loop calls Update and View. Commands run in goroutines of their own.
	"github.com/charmbracelet/bubbletea.Model": set(`github.com/charmbracelet/bubbletea.NewProgram`),
	// Run calls Start, and Stop when it has waited for the signal.
	"github.com/kardianos/service.Interface": set(`github.com/kardianos/service.New`),
	"golang.org/x/sys/windows/svc.Handler":   set(`golang.org/x/sys/windows/svc.Run golang.org/x/sys/windows/svc/debug.Run`),
}

// Driven reports whether t is an interface by which a library calls the methods of an object that it is handed
// one at a time.
func Driven(t types.Type) bool {
	if _, named := types.Unalias(t).(*types.Named); !named || !types.IsInterface(t) {
		return false
	}
	return drivers[spell(t)] != nil
}

// Drives reports whether a function of a library is handed an object of the interface t to call its methods one at a time.
func Drives(fn *types.Func, t types.Type) bool {
	if fn == nil || fn.Pkg() == nil || fn.Signature().Recv() != nil {
		return false
	}
	return drivers[spell(t)][unversioned(fn.Pkg().Path())+"."+fn.Name()]
}
