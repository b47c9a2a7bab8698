package registration

// Functions that only tests call, by their names, are over before or after
// what they test: they are no second goroutine.

var converters = make(map[string]driver)

// addConverter must be called at init time.
func addConverter(name string, d driver) { converters[name] = d }

func init() { addConverter("plain", nil) }

// ConverterOk reads what the start has written.
func ConverterOk(name string) driver { return converters[name] }

// ReplaceConverterForTesting swaps one entry.
func ReplaceConverterForTesting(name string, d driver) (restore func()) {
	old, found := converters[name]
	addConverter(name, d)
	return func() {
		if found {
			converters[name] = old
			return
		}
		delete(converters, name)
	}
}

// SnapshotForTest swaps the whole map.
func SnapshotForTest() (restore func()) {
	old := converters
	converters = make(map[string]driver)
	return func() { converters = old }
}

var decoders = make(map[string]driver)

// ResetBadForTest is named for tests, but the code itself calls it.
func ResetBadForTest() {
	decoders = make(map[string]driver)
	decoders["plain"] = nil // want `unguarded-access: .*decoders`
}

// Reload does.
func Reload() { ResetBadForTest() }

// Decoder meets it.
func Decoder(name string) driver { return decoders[name] }
