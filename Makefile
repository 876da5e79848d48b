# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# The front door: people and CI call these targets, and nothing else. `make help` lists them.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
# Targets share one .build.
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

# Figures are made from published files in this folder (Documentation/RELEASING.md); tests never need it.
VECTORS ?= ../shared/vectors
# More arguments for swift test, as in: make test ARGS='--filter InteropTests'
ARGS ?=
# The libraries whose headers are not here (Package.swift). SIGNET_WITHOUT=libsecret does without more.
export SIGNET_WITHOUT ?= $(shell Scripts/bootstrap.sh --without)
# Package.swift says why. For all, so that none builds anew what another has built.
export SIGNET_OPTIMIZED_EMAIL := 1
# The commit that the audit's report names, with "-dirty" behind it where files were changed since.
export SIGNET_COMMIT := $(shell git describe --always --dirty --abbrev=40 --exclude='*' 2>/dev/null)
# What bench-check is to do besides: --update. No ARGS, which make check may be given for the tests.
COUNTS ?=
# With a commit, make check runs every part touched since it, steady or not, whatever it costs.
SINCE ?=

# What is released, and whether only the plan is shown.
VERSION ?=
DRY ?=

# Where `make install` puts the command line: below $DESTDIR$PREFIX.
PREFIX ?= /usr/local
DESTDIR ?=
export PREFIX DESTDIR

.PHONY: help deps test-deps build build-release install uninstall deb test-deb reproducible test test-long check release-check release demo example test-example test-engine \
	bench-example audit lint format snippets docs migration walk consumer seams without-libraries test-threads \
	test-threads-curl test-hummingbird test-protected-route test-small-server test-asan test-debian13 \
	bench bench-check bench-peers bench-vault bench-session bench-accounts fuzz jwe-peers vectors clean

help: ## This list
	@echo "Signet. Two commands for a fresh machine: make demo, make test"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-23s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

deps: ## Find out what is missing to build, install it with apt-get where allowed, else say what to install
	@Scripts/bootstrap.sh build

test-deps: ## The same for the tests
	@Scripts/bootstrap.sh test

# Where headers are not here, the command line is what can be built.
build: deps ## Build everything, tests and snippets too; warnings are errors
	swift build $$(Scripts/bootstrap.sh --flags) $(if $(SIGNET_WITHOUT),--product signet,--build-tests)

build-release: deps ## Build the command line as it is installed: optimised, with Swift's runtime, manual pages and completions
	@Scripts/release.sh

install: ## Install the command line under PREFIX (/usr/local), below DESTDIR; builds it first where it is not built
	@Scripts/install.sh "$$(Scripts/release.sh --if-needed)"

uninstall: ## Remove what make install put there
	@Scripts/install.sh --remove

deb: ## Build packages for Debian 12 and 13 in roots of their own, with SBOM and checksums, in .build/dist; needs root
	@Scripts/debs.sh

test-deb: ## Install, use and remove these packages in fresh roots; needs root
	@Scripts/test-deb.sh

reproducible: ## Build the package twice, as two users, in two folders, on two days, and compare; needs root
	@Scripts/reproducible.sh

test: test-deps ## What to run before each commit: every test but those that explore
	@Scripts/test.sh --quick $(ARGS)

test-long: test-deps ## What explores, in the parts of Scripts/parts.ini: all, or PART="vault-bits interop"
	@Scripts/gate.py part $(PART)

check: test-deps ## What CI runs: lint, test, and steady parts that the last day touched; SINCE=commit: every part touched since
	@Scripts/gate.py ci $(if $(SINCE),--since "$(SINCE)")

release-check: test-deps ## Lint, test and every part
	@Scripts/gate.py release

release: ## Release VERSION, up to the tag (Documentation/RELEASING.md); DRY=1 only shows what it would do, and what is in the way
	@Scripts/releasing.py "$(VERSION)" $(if $(DRY),--dry)

demo: deps ## Show the main job on real input: tokens, a sealed file, a vault, the audit
	swift build $$(Scripts/bootstrap.sh --flags) --product signet
	@Scripts/demo.sh "$$(swift build --show-bin-path)/signet"

example: deps ## Start the sign-in server of Examples/AuthServer with a local issuer and walk through it with curl; no account needed
	@Examples/AuthServer/Scripts/example.sh

test-example: deps ## The tests of Examples/AuthServer, over real HTTP, and the count of its lines
	@Examples/AuthServer/Scripts/count.sh
	swift test --package-path Examples/AuthServer --disable-xctest -debug-info-format none \
		-Xswiftc -index-ignore-system-modules -Xswiftc -index-ignore-clang-modules $(ARGS)

test-engine: deps ## An engine of accounts in a package of its own (Examples/Engine): its lines, and the checks on it
	@Examples/Engine/Scripts/check.sh $(ARGS)

bench-example: deps ## The examples under load: what a token costs, memory over a million requests, slow clients, a million malformed ones
	@Examples/AuthServer/Scripts/load.sh
	@Examples/AuthServer/Scripts/memory.sh
	@Examples/AuthServer/Scripts/fuzz.sh
	@Examples/ProtectedRoute/Scripts/load.sh

audit: deps ## Run every test vector against the libcrypto that is loaded here
	swift build $$(Scripts/bootstrap.sh --flags) --product signet
	@"$$(swift build --show-bin-path)/signet" audit $(ARGS)

lint: deps ## Layout and the rules that the compiler does not know
	@Scripts/lint.sh

format: deps ## Lay the Swift files out as lint wants them
	swift format --in-place --recursive Package.swift $(wildcard \
		Sources Tests TestVectors Snippets Benchmarks/Package.swift Benchmarks/Sources Examples)

snippets: deps ## Compile and run Snippets/, compare the documents' examples with them
	@Scripts/snippets.sh

docs: test-deps ## Build guides, programs, commands and the reference of all products as a site in .build/docs; warnings are errors
	@Scripts/docs.sh $(ARGS)

migration: deps ## Build and run both sides of the migration guides, with jwt-kit and swift-crypto
	@Examples/Migration/Scripts/check.sh

walk: deps ## Count the files that one verification walks through
	@Scripts/walk.sh

consumer: test-deps ## Build a package that depends on the libraries from outside; show what it resolves and links
	@Scripts/consumer.sh

seams: deps ## Build the servers as packages of their own, on products of a package without them
	@Scripts/seams.sh $(ARGS)

without-libraries: deps ## Build the command line as where the headers of libsecret and libpq are not
	@Scripts/without-libraries.sh

bench: deps ## Measure beside jwt-kit, swift-crypto and raw libcrypto (Benchmarks/; ARGS=--help)
	swift run -c release --package-path Benchmarks signet-benchmarks $(ARGS)

bench-check: test-deps ## Count instructions and allocations, fail above the committed thresholds (COUNTS=--update writes them)
	@Scripts/bench-check.sh $(COUNTS)

bench-peers: deps ## The same tokens in Rust, Go, Python and node, one run (ARGS=--quick for a look)
	@Benchmarks/Peers/run.sh $(ARGS)

bench-vault: deps ## Measure the vault at up to a million items beside bare SQLite (ARGS='--items 1,1000' for a look)
	swift run -c release --package-path Benchmarks vault-benchmarks $(ARGS)

bench-session: deps ## Measure a client's session: the start, a token, an exchange that many wait for, memory
	swift run -c release --package-path Benchmarks session-benchmarks

bench-accounts: deps ## Measure rotations of refresh tokens in SQLite and PostgreSQL beside their statements alone
	@Scripts/bench-accounts.sh

fuzz: deps ## Fuzz one TARGET, or all, for SECONDS each (ARGS=--keep keeps what they find; Documentation/FUZZING.md)
	@Scripts/fuzz.py --seconds "$(or $(SECONDS),60)" $(ARGS) $(TARGET)

# Optimised, because ten million cases take hours without.
jwe-peers: test-deps ## Make CASES encrypted tokens of mutated parts, and open with jwcrypto and joserfc what Signet accepts
	@SIGNET_REQUIRE_INTEROP=1 SIGNET_JWE_CASES="$(or $(CASES),100000)" SIGNET_TEST_MINUTES=600 \
		SIGNET_TEST_TARGETS=FuzzTargetsTests Scripts/test.sh -c release --scratch-path .build/peers \
		--filter FuzzTargetsTests.EncryptedTokenPeersTests

vectors: ## Make TestVectors/Figures again from the published files in VECTORS (ARGS=--check compares)
	python3 Scripts/make-vectors.py $(ARGS) "$(VECTORS)"

# SIGNET_TEST_TARGETS=SignetVaultTests: those of one library.
test-asan: test-deps ## The tests under AddressSanitizer, leaks included
	@SIGNET_DEBUG_INFO=dwarf LSAN_OPTIONS="suppressions='$(CURDIR)/Scripts/lsan.supp':print_suppressions=0" \
		Scripts/test.sh --quick --sanitize=address --scratch-path .build/asan $(ARGS)

test-threads: test-deps ## What threads share, under ThreadSanitizer: a report fails
	@SIGNET_TEST_TARGETS=ThreadTests SIGNET_FULL_EFFORT=1 SIGNET_DEBUG_INFO=lines \
		Scripts/test.sh --sanitize=thread --scratch-path .build/threads

# One after the other: beside tests that compute on all cores, what waits for a network comes too
# late. Without extensionWithoutEnd, which measures the memory of the process: the sanitizer takes
# more.
test-threads-curl: test-deps ## The transport over libcurl under ThreadSanitizer
	@SIGNET_TEST_TARGETS=SignetCurlTests SIGNET_DEBUG_INFO=lines \
		Scripts/test.sh --sanitize=thread --scratch-path .build/threads --no-parallel \
		--filter SignetCurlTests.CurlTests \
		--skip SignetCurlTests.CurlTests/extensionWithoutEnd

test-hummingbird: test-deps ## The tests of the targets for Hummingbird, which their package trait brings
	@SIGNET_TRAITS=Hummingbird SIGNET_TEST_TARGETS=SignetHummingbirdTests,SignetHummingbirdAccountsTests \
		Scripts/test.sh --scratch-path .build/hummingbird --filter 'SignetHummingbird(Accounts)?Tests' $(ARGS)

test-protected-route: test-deps ## Start Examples/ProtectedRoute beside an issuer on loopback and ask it
	@Examples/ProtectedRoute/Scripts/check.sh

test-small-server: test-deps ## Start the one-file server of Examples/AuthServer, and let Authlib live on it for 30 days; and the one of GoTrue, with the Python client
	@Scripts/interop-venv.sh
	@Examples/AuthServer/Scripts/small.sh
	@Examples/AuthServer/Scripts/gotrue.sh

test-debian13: test-deps ## The tests and the audit in a Debian 13 with OpenSSL 3.5, with its FIPS provider too; needs root for a root of its own
	@Scripts/test-debian13.sh

clean: ## Remove what was built, and the interop tests' Python environment
	rm -rf .build .cache Benchmarks/.build Examples/*/.build
