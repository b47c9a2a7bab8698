package model

import (
	"fmt"
	"go/types"
	"strings"
)

// Sought reports whether code of the standard library, or of what is made like it, looks for
// a method in values of any type that it gets: to print, encode, compare, close, unwrap or check
// them. It is told by its name and by how many parameters and results it has. Another method is
// called by interfaces that have it.
func Sought(method *types.Func) bool {
	sig := method.Signature()
	return sought[fmt.Sprintf("%s/%d/%d", method.Name(), sig.Params().Len(), sig.Results().Len())]
}

// sought are the methods for which the standard library has an interface that it asserts, with the
// numbers of their parameters and results: fmt, errors, io, net, net/http, encoding and what is
// below it, flag, io/fs, database/sql, log/slog; and encoders for YAML and BSON, validators, and
// those who fill in defaults.
var sought = func() map[string]bool {
	out := make(map[string]bool)
	for method := range strings.FieldsSeq(`
		String/0/1 GoString/0/1 Error/0/1 Format/2/0 Scan/1/1 Scan/2/1
		Unwrap/0/1 Is/1/1 As/1/1 Timeout/0/1 Temporary/0/1
		Read/1/2 Write/1/2 Close/0/0 Close/0/1 Seek/2/2 ReadAt/2/2 WriteAt/2/2 ReadFrom/1/2 WriteTo/1/2
		ReadByte/0/2 UnreadByte/0/1 ReadRune/0/3 UnreadRune/0/1 WriteByte/1/1 WriteString/1/2
		Sync/0/1 Stat/0/2 Stat/1/2 Len/0/1 CloseRead/0/1 CloseWrite/0/1 CloseWithError/1/1
		SetDeadline/1/1 SetReadDeadline/1/1 SetWriteDeadline/1/1 SyscallConn/0/2 File/0/2
		ServeHTTP/2/0 Flush/0/0 Flush/0/1 FlushError/0/1 Hijack/0/3 Push/2/1 CloseIdleConnections/0/0 CloseNotify/0/1
		MarshalJSON/0/2 UnmarshalJSON/1/1 MarshalText/0/2 UnmarshalText/1/1 AppendText/1/2
		MarshalBinary/0/2 UnmarshalBinary/1/1 AppendBinary/1/2
		MarshalXML/2/1 UnmarshalXML/2/1 MarshalXMLAttr/1/2 UnmarshalXMLAttr/1/1
		MarshalJSONTo/1/1 UnmarshalJSONFrom/1/1
		MarshalYAML/0/2 UnmarshalYAML/1/1 MarshalBSON/0/2 UnmarshalBSON/1/1 MarshalBSONValue/0/3 UnmarshalBSONValue/2/1
		GobEncode/0/2 GobDecode/1/1 MarshalLogObject/1/1 MarshalLogArray/1/1 LogValue/0/1
		Set/1/1 Get/0/1 IsBoolFlag/0/1 IsZero/0/1 Equal/1/1
		Value/0/2 ColumnConverter/1/1 CheckNamedValue/1/1 ResetSession/1/1 IsValid/0/1
		Ping/1/1 BeginTx/2/2 ExecContext/3/2 QueryContext/3/2 PrepareContext/2/2
		ReadDir/1/2 ReadFile/1/2 Glob/1/2 Sub/1/2
		Validate/0/1 Validate/1/1 SetDefaults/0/0 SetDefaults/0/1`) {
		out[method] = true
	}
	return out
}()
