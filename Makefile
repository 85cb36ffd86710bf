# The front door. `make` alone says what there is.
MVN := mvn -B -ntp -q
.DEFAULT_GOAL := help
.PHONY: help build image dashboard demo test check rig campaign bench browser soak picture settings clean format tools

help: ## this list
	@echo "Fallow finds idle GPUs on Kubernetes and puts them back to work."
	@echo
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

tools:
	@sh build/tools.sh java maven

dashboard:
	@sh build/tools.sh node
	@sh build/dashboard.sh

build: tools dashboard ## the program, as bin/fallow starts it
	@$(MVN) -pl app -am package -DskipTests
	@sh build/assemble.sh

image: ## the container image fallow:0.1.0, by docker or podman; IMAGE=registry.example.com/fallow:0.1.0 names another
	@sh build/image.sh

demo: build ## the product on a simulated cluster of 64 GPUs: no cluster, no GPU, no Prometheus
	@bin/fallow demo $(DEMO_FLAGS)

check: tools dashboard ## everything that needs no other process: formatting, walls, pure tests
	@sh build/dashboard.sh test
	@$(MVN) -T 2 verify -Dexcluded.groups=rig -Dfuzz.skip

rig: ## the real control plane that tests run on: built once, then cached
	@sh build/tools.sh go prometheus postgres faketime
	@bash rig/build.sh >/dev/null
	@bash rig/crds.sh >/dev/null

test: rig build ## every test, on the real control plane, Prometheus, PostgreSQL and Chromium
	@sh build/dashboard.sh test
	@$(MVN) verify -Dcampaign.program=app/target/fallow/lib -Dcampaign.lanes=2
	@sh build/summary.sh >target/summary.txt || { cat target/summary.txt; exit 1; }
	@sh build/tools.sh chromium
	@sh build/fuzz.sh >target/fuzz.txt 2>&1 & fuzz=$$!; failed=0; \
	  sh build/browser.sh || failed=1; wait $$fuzz || failed=1; cat target/fuzz.txt; exit $$failed
	@cat target/summary.txt

campaign: build rig ## the product under 200 random faults, some hours; SEED=7 ITERATIONS=200 LANES=1 choose others
	@mvn -B -ntp -q -pl system-tests -am verify -Dtest='EveryStepTest,PruneCampaignTest' -Dcampaign.steps=true -Dsystem.forks=1 -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dfuzz.skip -Dcampaign.seed=$(or $(SEED),7) -Dcampaign.iterations=$(or $(ITERATIONS),200) -Dcampaign.lanes=$(or $(LANES),1) \
	  -Dcampaign.program=app/target/fallow/lib

bench: tools rig ## the figures of docs/figures.md
	@sh build/bench.sh $(BENCH_FLAGS)

browser: build ## the demo clicked through in Chromium, wide and narrow, light and dark; PICTURES=folder keeps pictures
	@sh build/tools.sh chromium
	@sh build/browser.sh

soak: tools rig ## thirty minutes of pruning every five seconds: fails if memory, threads or file handles grow
	@SOAK_MINUTES=$(or $(SOAK_MINUTES),30) sh build/bench.sh soak

picture: build ## docs/images/dashboard.png, of the page that the demo serves
	@sh build/picture.sh

settings: build ## docs/settings.md, as the program prints it
	@bin/fallow settings >docs/settings.md

format: ## formats the sources
	@mvn -q -N -Dformat.skip validate && sh build/format.sh fix

clean: ## removes what was built; the rig's cache stays
	@$(MVN) clean
	@rm -rf dashboard/dist
