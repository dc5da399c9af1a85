.DEFAULT_GOAL := help
.PHONY: help build run test check race fuzz bench bench-peers audit clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build bin/leeway (no C compiler needed)
	CGO_ENABLED=0 go build -o bin/leeway ./cmd/leeway

run: build ## find a placement on 8x8 that beats the papers' and write its record
	bin/leeway search --torus 8x8 --size 16 --routing udr:tie=both --seed 1 --time 60s --out leeway-first.json
	bin/leeway check leeway-first.json
	bin/leeway draw leeway-first.json

test: ## run every check and every test, as CI does
	tools/check.sh all

check: ## run the quick passes: format, vet, lint, imports, tidy, short tests
	tools/check.sh quick

race: ## run all tests under the race detector
	tools/check.sh race

fuzz: ## run every fuzzer for a minute
	tools/check.sh fuzz

bench: ## run the benchmarks
	go test -run '^$$' -bench . -benchmem ./...

bench-peers: build ## time Leeway's proofs against the general solvers on the path; about 20 minutes
	tools/bench-peers.sh

audit: build ## check the claims of the papers and write docs/audit.md
	bin/leeway audit --markdown > docs/audit.md.new
	mv docs/audit.md.new docs/audit.md

clean: ## remove what was built
	rm -rf bin
