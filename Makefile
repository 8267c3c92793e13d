.DEFAULT_GOAL := help
.PHONY: help run test test-agents test-mcp test-web-full screenshots soak kills bench fmt lint deny tidy generate web clean-data

# Outside the clone: a workspace inside it would find this project's Cargo.toml and settings above itself.
export FORGE_DATA_DIR ?= $(or $(XDG_DATA_HOME),$(HOME)/.local/share)/forge-dev

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## build everything and serve; prints the link to open (data: FORGE_DATA_DIR)
	@scripts/run

test: ## the whole suite; installs what it needs first
	@scripts/test

test-web-full: ## every browser flow, and axe on every screen
	@scripts/test-web e2e:full

screenshots: ## pictures of every screen, light and dark, 1440 and 390 px, in web/test-results/screenshots
	@scripts/test-web screenshots

soak: ## the long lists: 200 random lifecycles, 200 landings beside a person, a kill at every point (LIFECYCLES=n, LANDINGS=n)
	FORGE_TEST_LIFECYCLES=$(or $(LIFECYCLES),200) FORGE_TEST_LANDINGS=$(or $(LANDINGS),200) FORGE_TEST_KILL_EVERY=1 \
		cargo nextest run --profile soak --package forge-engine \
		--filterset 'binary(lifecycles) | binary(person_at_work) | test(killed)'

kills: ## kill -9 of the server, one second apart, under load with landings into a checked-out main (KILLS=500)
	FORGE_TEST_KILLS=$(or $(KILLS),500) cargo nextest run --profile soak --package forge-cli --test restarts \
		issue_13_kills_under_load

test-agents: ## the real agent programs against a stand-in for their model (RECORD=1 keeps their streams)
	@scripts/test-agents

test-mcp: ## the protocol's conformance suite against a real server
	@scripts/test-mcp

bench: ## the benchmarks, as ratios; QUICK=1 for smaller sizes
	cargo build --release --package forge-cli --package benches
	$${CARGO_TARGET_DIR:-target}/release/benches $(if $(QUICK),--quick)

fmt: ## format all Rust
	cargo fmt --all

lint: ## clippy, warnings are errors
	cargo clippy --workspace --all-targets --all-features -- -D warnings

deny: ## licenses, bans and sources of the dependencies
	@scripts/deny

tidy: ## the rules of the house
	@cargo xtask tidy

generate: ## write what is made from the code: docs/openapi.json, docs/SETTINGS.md, the web's client
	cargo run --package forge-server --example generate
	@scripts/install-web
	cd web && npm run generate

web: ## build web/dist if a source changed
	@scripts/build-web

clean-data: ## throw away the data of make run (asks for YES=1)
	@scripts/clean-data
