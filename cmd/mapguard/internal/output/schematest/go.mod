module github.com/mapguard/mapguard/cmd/mapguard/internal/output/schematest

go 1.26.0

require (
	github.com/mapguard/mapguard v0.0.0
	github.com/owenrumney/go-sarif/v3 v3.3.1
	github.com/reviewdog/reviewdog v0.21.2
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	google.golang.org/protobuf v1.36.12
)

require (
	github.com/xeipuuv/gojsonpointer v0.0.0-20180127040702-4e3ac2762d5f // indirect
	github.com/xeipuuv/gojsonreference v0.0.0-20180127040603-bd5ef7bd5415 // indirect
	github.com/xeipuuv/gojsonschema v1.2.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/text v0.42.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
	honnef.co/go/tools v0.8.2 // indirect
)

replace github.com/mapguard/mapguard => ../../../../..
