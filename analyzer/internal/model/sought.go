package model

import "strings"

// Sought reports whether code of the standard library, or of what is made like it, looks for
// methods of a name in values of any type that it gets: to print, encode, compare, close,
// unwrap or check them. A method of another name is called by interfaces that have it.
func Sought(name string) bool { return sought[name] }

// sought are the names of the methods for which the standard library has an interface that it
// asserts: fmt, errors, io, net, net/http, encoding and what is below it, flag, io/fs,
// database/sql, log/slog; and encoders for YAML and BSON, validators, and those who fill in
// defaults.
var sought = func() map[string]bool {
	out := make(map[string]bool)
	for name := range strings.FieldsSeq(`
		String GoString Error Format Scan
		Unwrap Is As Timeout Temporary
		Read Write Close Seek ReadAt WriteAt ReadFrom WriteTo ReadByte UnreadByte ReadRune UnreadRune WriteByte WriteString
		Sync Stat Len CloseRead CloseWrite CloseWithError SetDeadline SetReadDeadline SetWriteDeadline SyscallConn File
		ServeHTTP Flush FlushError Hijack Push CloseIdleConnections CloseNotify
		MarshalJSON UnmarshalJSON MarshalText UnmarshalText AppendText MarshalBinary UnmarshalBinary AppendBinary
		MarshalXML UnmarshalXML MarshalXMLAttr UnmarshalXMLAttr MarshalYAML UnmarshalYAML MarshalBSON UnmarshalBSON
		GobEncode GobDecode MarshalLogObject MarshalLogArray LogValue
		Set Get IsBoolFlag IsZero Equal Value ColumnConverter CheckNamedValue ResetSession IsValid
		Ping BeginTx ExecContext QueryContext PrepareContext
		ReadDir ReadFile Glob Sub Validate SetDefaults`) {
		out[name] = true
	}
	return out
}()
