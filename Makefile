# The module needs Go and nothing else; the versions of its tools come from go.mod.
SHELL := bash

# The race detector needs a C compiler; Go turns cgo off where there is none.
RACE := $(if $(filter 1,$(shell go env CGO_ENABLED)),-race)
STATICCHECK := go run honnef.co/go/tools/cmd/staticcheck@$(shell go list -m -f '{{.Version}}' honnef.co/go/tools)
ACTIONLINT := go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

.PHONY: build demo test unit rewrites explore reference fixes mutants schema lint actionlint fmt format vet self golangci rules man bench profile clean

build: ## bin/mapguard
	go build -o bin/mapguard ./cmd/mapguard

demo: build ## the findings of the reference service's buggy form, and none of its fixed form
	.ci/demo bin/mapguard

test: format vet unit reference fixes schema lint actionlint ## everything that must hold before a change goes in

unit: ## unit tests, analysistest and the driver tests, and how much of the analyzer they cover
	.ci/unit

rewrites: ## the same bugs and their right twins, written in some thousands of ways; go test takes a sample of them
	go test ./analyzer/internal/rewrite -full -v

reference: ## the reference service's own tests, and the coverage of what is not meant to be wrong
	.ci/reference $(RACE)

fixes: build ## mapguard -fix on the reference service's buggy form: then its scenarios pass, but for the engine cache
	.ci/fixes bin/mapguard $(RACE)

schema: ## the outputs against the official SARIF schema and reviewdog's messages, .goreleaser.yaml against goreleaser; a module of its own
	cd cmd/mapguard/internal/output/schematest && go vet ./... && go test ./...

vet:
	go vet ./...

mutants: build ## mistakes made in the reference service's fixed form: a scenario fails or mapguard reports each; minutes
	cd reference && go run ./internal/mutants ../bin/mapguard

lint: ## staticcheck, on the reference service as well
	$(STATICCHECK) ./...
	cd reference && $(STATICCHECK) ./...

actionlint: ## the GitHub workflows, those to copy included
	$(ACTIONLINT) .github/workflows/*.yml examples/ci/github-*.yml

format: ## fails when a file is not as gofmt writes it
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then echo "not formatted (make fmt):"; echo "$$files"; exit 1; fi

fmt:
	gofmt -w .

self: build ## mapguard on its own code, both ways
	bin/mapguard ./...
	go vet -vettool=$(CURDIR)/bin/mapguard ./...

golangci: ## bin/golangci-mapguard, which is golangci-lint with mapguard in it, and its tests; minutes the first time
	.ci/golangci bin/golangci-mapguard

rules: ## docs/rules.md from analyzer/doc.go, the tables of docs/engine.md from the engine
	go test ./analyzer -run TestRulesPage -update
	go test ./analyzer/internal/witness -run TestTablesOfThePage -update

man: ## docs/mapguard.1 from the flags
	go test ./cmd/mapguard -run TestManPage -update-man

bench:
	go test -run '^$$' -bench . -benchmem ./analyzer

explore: ## mapguard against the truth of ten thousand generated programs; minutes
	go test ./analyzer/internal/explore -run TestDifferential -programs 10000 -timeout 60m -v

profile: ## cmd/mapguard/default.pgo, for the compiler, from runs over the modules in MODULES; PROFILE_ENV is for these runs
	@test -n "$(MODULES)" || { echo 'name directories: make profile MODULES="..."'; exit 2; }
	go test -c -o bin/profile.test ./cmd/mapguard
	cd cmd/mapguard && env $(PROFILE_ENV) ../../bin/profile.test -test.run '^TestProfile$$' -profile "$(MODULES)" -test.cpuprofile default.pgo

clean:
	rm -rf bin
