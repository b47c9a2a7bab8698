// Package schematest holds the outputs to what their readers say of them:
// SARIF to the official JSON schema of version 2.1.0, rdjson to reviewdog's own
// messages, and the release configuration to goreleaser's loader. It is a module
// of its own, so that neither the command nor anyone who imports the analyzer
// depends on schemas, validators, reviewdog or goreleaser.
package schematest
