.DEFAULT_GOAL := help
.PHONY: help build engine run test test-long check race fuzz bench performance bench-peers bench-cluster atlas snapshot atlas-verify verified worst lattices exchanges findings audit pictures docs install release clean

# tools/check.sh has the same, so that nothing is compiled twice. Collecting garbage less often takes a quarter off the
# time of the compiler, and in builds it collects only above 1 GiB; nothing is made for debuggers; and the server of the
# cluster, the largest package, is compiled without inlining.
export CGO_ENABLED = 0
export GOGC = 400
export GOFLAGS += -gcflags=all=-dwarf=false '-gcflags=github.com/nats-io/nats-server/...=-dwarf=false -l'

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build bin/leeway (no C compiler needed)
	GOGC=off GOMEMLIMIT=1GiB go build -ldflags='-s -w' -o bin/leeway ./cmd/leeway
	[ ! -e bin/engine.wasm.js ] || tools/engine.sh bin/engine.wasm.js

engine: build ## build bin/leeway and, beside it, the engine of the editor of its pages, a minute more the first time
	tools/engine.sh bin/engine.wasm.js

run: build ## find a placement on 8x8 that beats the papers' and write its record
	bin/leeway search --torus 8x8 --size 16 --routing udr:tie=both --known none --seed 1 --evaluations 100000 --out leeway-first.json
	bin/leeway check leeway-first.json
	bin/leeway draw leeway-first.json

test: ## run every check and every test, as CI does
	tools/check.sh all

test-long: ## the same with all random cases and the longest tests, several times as long
	LEEWAY_LONG=1 tools/check.sh all

check: ## run the quick passes: format, vet, lint, imports, tidy, short tests
	tools/check.sh quick

race: ## run all tests under the race detector
	tools/check.sh race

fuzz: ## run every fuzzer for a minute
	tools/check.sh fuzz

bench: ## run the benchmarks
	go test -run '^$$' -bench . -benchmem ./...

performance: ## measure cost against size, on an idle machine, and draw it for docs/performance.md; about 5 minutes
	go test -run '^$$' -bench Scale -cpu 1 ./cmd/work | tee performance.txt
	go run -C tools/plots . ../../docs/pictures <performance.txt

bench-peers: build ## time Leeway's proofs against the general solvers on the path; about 20 minutes
	tools/bench-peers.sh

bench-cluster: build ## time a proof and a search alone and with 1 to 8 workers in networks of their own; as root
	tools/bench-cluster.sh bin/leeway

docs: build ## write docs/reference.md and docs/licences.md anew
	bin/leeway manual >docs/reference.md
	tools/licences.sh >docs/licences.md

PREFIX ?= /usr/local
install: engine ## install the program, the engine of its editor, man pages and shell completion under PREFIX
	install -Dm755 bin/leeway $(DESTDIR)$(PREFIX)/bin/leeway
	install -Dm644 bin/engine.wasm.js $(DESTDIR)$(PREFIX)/share/leeway/engine.wasm.js
	bin/leeway manual --man $(DESTDIR)$(PREFIX)/share/man/man1
	mkdir -p $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	bin/leeway completion bash >$(DESTDIR)$(PREFIX)/share/bash-completion/completions/leeway
	bin/leeway completion zsh >$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_leeway
	bin/leeway completion fish >$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/leeway.fish

release: ## build archives for linux, macOS and Windows into dist/, with checksums
	tools/release.sh dist

REFRESH ?= 20s
atlas: build ## work on the open cells of the atlas, REFRESH each, and write its files and pages; continues where it was stopped
	bin/leeway atlas refresh --store atlas.store --time $(REFRESH)
	for plan in results/atlas/*.yaml; do \
		bin/leeway atlas export --store atlas.store --format atlas --renew --plan $$plan --history results/atlas/history.jsonl \
			--out $${plan%.yaml}.jsonl || exit 1; \
	done
	bin/leeway atlas merge parts.store results/findings/parts.jsonl
	bin/leeway atlas refresh --store parts.store --time 1s
	bin/leeway atlas export --store parts.store --format atlas --out results/findings/parts.jsonl
	$(MAKE) findings

findings: build ## write the pages of docs that have values of E_max, and the chart of the README, from the atlas
	bin/leeway atlas findings --out docs
	bin/leeway draw frontier --torus 8x8 --routing udr:tie=both --out docs/pictures/frontier-8x8.svg

exchanges: build ## schedule complete exchange on all small networks and among the atlas's placements, write docs/exchanges.md
	tools/exchanges.sh >exchanges.new
	mv exchanges.new results/findings/exchanges.csv
	tools/exchanges-placements.sh >exchanges.new
	mv exchanges.new results/findings/exchanges-placements.csv
	$(MAKE) findings

lattices: build ## compare all networks of up to 128 nodes, write docs/best-lattices.md
	for n in $$(seq 4 128); do bin/leeway networks --nodes $$n --dims 2 --best --json || exit 1; done >lattices.new
	for n in $$(seq 8 64); do bin/leeway networks --nodes $$n --dims 3 --best --json || exit 1; done >>lattices.new
	mv lattices.new results/findings/lattices.json
	for k in $$(seq 2 16); do t=$${k}x$$((2*k)); bin/leeway networks $$t $$t:twist=$$k --best --json || exit 1; done >pods.new
	for k in $$(seq 2 6); do t=$${k}x$${k}x$$((2*k)); bin/leeway networks $$t $$t:twist=0,0,$$k+0,0,$$k+0,0,0 \
		$$t:twist=0,0,$$k+0,0,0+0,0,0 --best --json || exit 1; done >>pods.new
	for k in $$(seq 2 5); do t=$${k}x$$((2*k))x$$((2*k)); bin/leeway networks $$t $$t:twist=0,$$k,$$k+0,0,0+0,0,0 \
		$$t:twist=0,$$k,0+0,0,0+0,0,0 --best --json || exit 1; done >>pods.new
	mv pods.new results/findings/pods.json
	tools/parts.sh
	$(MAKE) findings

VERIFY_TIME ?= 60s
verified: build ## have the proved values checked by programs of others, write docs/verified.md; continues where it was stopped
	@mkdir -p verified.work
	for k in 9 10 11 12; do for r in odr:tie=plus odr:tie=both udr:tie=plus udr:tie=both; do \
		case $$k$$r in 9*both|11*both) continue;; esac; f=verified.work/$$k-$$r.json; \
		test -e $$f || bin/leeway search --torus $${k}x$$k --size $$((2*k)) --routing $$r --methods family --evaluations 2000 --out $$f || exit 1; \
	done; done
	for how in "" --break-symmetry; do \
		bin/leeway atlas certify --max-nodes 32 --time $(VERIFY_TIME) $$how --out results/atlas/verified.jsonl && \
		bin/leeway atlas certify --min-nodes 33 --max-nodes 64 $$(printf -- '--record %s ' verified.work/*.json) \
			--time $(VERIFY_TIME) $$how --out results/atlas/verified-64.jsonl || exit 1; \
	done
	bin/leeway atlas certify --all --time $(VERIFY_TIME) --out results/atlas/verified-lists.jsonl
	$(MAKE) findings

worst: build ## compute the worst permutation of the proved cells in two dimensions; continues where it was stopped
	bin/leeway atlas worst --evaluations 200000 --out results/atlas/worst.csv
	$(MAKE) findings

snapshot: build ## write the atlas with its proofs as one archive and as one SQLite file into dist/, with checksums
	tools/snapshot.sh bin/leeway dist

atlas-verify: build ## repeat every load and every proof of the first atlas
	bin/leeway atlas verify

audit: build ## check the claims of the papers and write docs/audit.md and what the web pages show
	bin/leeway audit --json > results/audit/findings.json.new
	mv results/audit/findings.json.new results/audit/findings.json
	bin/leeway audit --markdown > docs/audit.md.new
	mv docs/audit.md.new docs/audit.md

pictures: build ## draw the pictures of the README and the documents again
	bin/leeway draw --torus 8x8 --placement multilinear:t=2 --routing udr:tie=both --title "Two neighbouring diagonals" --out docs/pictures/multilinear-8x8.svg
	bin/leeway draw --torus 8x8 --placement spaced:t=2 --routing udr:tie=both --title "Two diagonals, half a side apart" --out docs/pictures/spaced-8x8.svg
	bin/leeway draw --mesh 8x8 --placement diamond --routing xy:tie=both --traffic clients --title "diamond under XY" --out docs/pictures/controllers-mesh-diamond.svg
	bin/leeway draw --mesh 8x8 --placement x --routing xy:tie=both --traffic clients --title "x under XY" --out docs/pictures/controllers-mesh-x.svg
	bin/leeway draw --mesh 8x8 --placement rows:at=2,5 --routing xy:tie=both --traffic clients --title "rows:at=2,5 under XY" --out docs/pictures/controllers-mesh-rows.svg
	bin/leeway draw --mesh 8x8 --placement spaced:t=2 --routing xy:tie=both --traffic clients --title "spaced:t=2 under XY" --out docs/pictures/controllers-mesh-spaced.svg
	bin/leeway draw --torus 8x8 --placement diamond --routing xy:tie=both --traffic clients --title "diamond under XY" --out docs/pictures/controllers-torus-diamond.svg
	bin/leeway draw --torus 8x8 --placement x --routing xy:tie=both --traffic clients --title "x under XY" --out docs/pictures/controllers-torus-x.svg
	bin/leeway draw --torus 8x8 --placement rows:at=2,5 --routing xy:tie=both --traffic clients --title "rows:at=2,5 under XY" --out docs/pictures/controllers-torus-rows.svg
	bin/leeway draw --torus 8x8 --placement spaced:t=2 --routing xy:tie=both --traffic clients --title "spaced:t=2 under XY" --out docs/pictures/controllers-torus-spaced.svg

clean: ## remove what was built
	rm -rf bin dist leeway-first.json
