package role

import "testing"

func TestOnceBefore(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       bool
	}{
		// before something starts
		{"Init", "Init fills suites. It must be called only once, and it must be called before\nany function that calls [Parse].", true},
		{"initRules", "initRules fills rules. It is called once, before the server.", true},
		{"RegisterQueue", "RegisterQueue is called during startup, before Start.", true},
		{"Handle", "Handle adds a handler. It must be called before Serve.", true},
		{"Size", "Size is called once, before anything is sent on ch.", true},
		{"Handle", "Handle must be called before calling srv.ListenAndServe.", true},
		{"Handle", "Handle should only be called before [Server.Start].", true},
		{"Handle", "Handle adds a handler and must be called before the server is started.", true},
		{"Handle", "Note that Handle must be called prior to starting the server.", true},
		{"Handle", "NOTE: must be called before Run().", true},
		{"Handle", "Must be invoked before the main loop starts.", true},
		{"Handle", "It can only be called before Run.", true},
		{"Handle", "Callers must call it before Start.", true},
		{"Handle", "Call this before Start.", true},
		{"Handle", "It is only safe to call before Serve.", true},
		{"Handle", "It should be called before serving.", true},
		{"Handle", "It should be called before serving any request.", true},
		{"Handle", "Handle must be called after Init and before any other method.", true},
		{"Handle", "This is run before the server starts.", true},
		// before anybody else uses it
		{"fill", "fill must be called before anything else.", true},
		{"fill", "It must be called before any other method.", true},
		{"fill", "It has to be called before the first use of the table.", true},
		{"fill", "It must be called before the object is shared.", true},
		{"fill", "It must be called before using the client.", true},
		// while the program starts
		{"fill", "fill is called at startup.", true},
		{"fill", "fill is called once at program start-up.", true},
		{"fill", "Called from init().", true},
		{"fill", "It should only be called from an init function.", true},
		{"fill", "This function is intended to be called during initialization.", true},
		{"fill", "fill is called once from main.", true},
		{"fill", "fill reads the table (called at server startup).", true},
		// not after it has started
		{"Handle", "It is not safe to call after Start.", true},
		{"Handle", "Handle must not be called after Serve.", true},
		{"Handle", "Handle must not be called after the server has been started.", true},
		{"Handle", "It must not be called once the loop is running.", true},
		// once, and the name says when
		{"Init", "It must be called only once.", true},
		{"Setup", "Setup is called exactly once, by the owner.", true},

		// of another function
		{"OnStart", "OnStart registers f, which is called at startup.", false},
		{"OnStart", "OnStart registers a function to be called before the server starts.", false},
		{"use", "use calls f. f is called at startup.", false},
		{"Start", "Start must be stopped before Run.", false},
		{"load", "load reads what was written at startup.", false},
		{"load", "load is like read at startup.", false},
		{"spawn", "spawn runs the process that sets things up before the server starts.", false},
		{"spawn", "Run the tests before starting.", false},
		// of other times too
		{"check", "Called after recovery of the cluster on startup.", false},
		{"Add", "Call it when you want your service to be registered, typically at startup.", false},
		{"load", "load is called at startup and whenever the file changes.", false},
		{"load", "load is called at startup and on SIGHUP.", false},
		{"load", "load is called at startup and after each reload.", false},
		{"Handle", "Handle may be called before or after Start.", false},
		{"Handle", "Handle can be called before Start.", false},
		{"Handle", "Handle can be called at any time.", false},
		{"Handle", "Handle is called before each Serve.", false},
		{"begin", "It must be called before starting a transaction.", false},
		{"open", "It is called during initialization of a session.", false},
		{"open", "It is called during connection startup.", false},
		{"loop", "It is called at startup in its own goroutine.", false},
		// of the end
		{"Flush", "Flush must be called before the server stops.", false},
		{"Flush", "Flush must be called before Close.", false},
		{"Add", "Add must not be called after Close.", false},
		{"Add", "It is not safe to call after Stop.", false},
		{"Stop", "Stop must be called once.", false},
		// the contrary
		{"Handle", "Handle must not be called before Start.", false},
		{"Handle", "It need not be called before Start.", false},
		{"Handle", "Handle must be called after Start.", false},
		{"Handle", "Handle is called by the loop once the server is running.", false},
		// once is not enough
		{"run", "run is called only once.", false},
		{"Init", "It is called once per connection.", false},
		{"Init", "It is called once for each connection.", false},
		{"Do", "Do ensures that f is called once.", false},
		{"Init", "", false},
	} {
		if got := onceBefore(tc.name, tc.text); got != tc.want {
			t.Errorf("%s, %q: %v, want %v", tc.name, tc.text, got, tc.want)
		}
	}
}

// Who promises that several goroutines may call it, says nothing of the start.
func TestConcurrentIsNotBefore(t *testing.T) {
	if r := said("Handle", "Handle is safe for concurrent use. It is called at startup."); r.Has(OnceBefore) {
		t.Errorf("the roles are %v", r)
	}
}
