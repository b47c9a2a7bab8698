package registration

// A literal that a variable keeps for tests is theirs, and so is what it gives them for the end.

var (
	// SwapPlanForTesting swaps one entry.
	SwapPlanForTesting func(name string, d driver) (restore func())
	// SwapRoute swaps one entry, whenever it is called.
	SwapRoute func(name string, d driver) (restore func())

	plans  = map[string]driver{}
	routes = map[string]driver{}
)

func init() {
	SwapPlanForTesting = func(name string, d driver) func() {
		old := plans[name]
		plans[name] = d
		return func() { plans[name] = old }
	}
	SwapRoute = func(name string, d driver) func() {
		old := routes[name]
		routes[name] = d
		return func() { routes[name] = old }
	}
}

// PlanOk looks one up.
func PlanOk(name string) driver { return plans[name] }

// RouteBad looks one up.
func RouteBad(name string) driver { return routes[name] } // want `unguarded-access: routes is read without a lock`
