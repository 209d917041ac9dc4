# Targets for developers, maintainers and CI; `make help` lists them.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build

# If a module imports a target that is not in its dependencies, the build fails. In CI, nobody uses a debugger, and without
# debug information the compiler needs a fifth less time.
SWIFT_FLAGS := --explicit-target-dependency-import-check error $(if $(CI),-debug-info-format none)
# The flags for programs that run on a machine without a toolchain. The simulator uses the same flags, because it shares
# modules with the package.
STATIC := -c release --static-swift-stdlib $(SWIFT_FLAGS) --scratch-path .build/deb
PREFIX ?= /usr/local
SEED ?= 1
COUNT ?= 300

# Debian packages to build and run the product, and to run its tests and its demonstration.
PACKAGES := libasound2-dev libsndfile1-dev libebur128-dev libsamplerate0-dev libsystemd-dev \
  libsqlite3-dev libgcrypt20-dev libpng-dev libturbojpeg0-dev libwebp-dev libexif-dev libheif-dev libical-dev libqrencode-dev alsa-utils libasound2-plugins espeak-ng \
  libavformat-dev libavcodec-dev libswresample-dev libavutil-dev libpq-dev zlib1g-dev libcurl4-openssl-dev
TEST_PACKAGES := pulseaudio pulseaudio-utils curl sqlite3 python3 python3-venv python3-dateutil python3-icalendar \
  r-base-core r-cran-sandwich chromium libfaketime fonts-dejavu-core gettext nodejs node-typescript flac vorbis-tools opus-tools lame ffmpeg sox libsox-fmt-base libvo-amrwbenc0 util-linux \
  openssh-server openssh-client stunnel4 openssl tmux zsh fish man-db postgresql-15 nginx-light prometheus prometheus-alertmanager
# Debian packages of programs that only the measurements use, for a comparison.
BENCH_PACKAGES := mosquitto mosquitto-clients
# Debian packages to build and check the Debian package.
DEB_PACKAGES := binutils dpkg-dev lintian systemd
# Debian packages to boot a Debian for the acceptance scenarios.
ACCEPTANCE_PACKAGES := systemd-container qemu-system-x86 qemu-utils mmdebstrap e2fsprogs chromium fonts-dejavu-core python3-venv

.PHONY: help build release test golden soak soak-archive fuzz mutants lint format bench demo demo-fleet deb acceptance describe install deps test-deps \
  deb-deps acceptance-deps clean

help: ## lists the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  \1\t/' | expand -t 16

deps: ## installs the Debian packages that are missing
	@demo/install-packages $(PACKAGES)

test-deps: deps
	@demo/install-packages $(TEST_PACKAGES)

deb-deps: deps
	@demo/install-packages $(DEB_PACKAGES)

acceptance-deps: deb-deps
	@demo/install-packages $(ACCEPTANCE_PACKAGES)

build: deps ## builds the programs for debugging
	swift build $(SWIFT_FLAGS)

release: deps ## builds the programs for use
	swift build -c release $(SWIFT_FLAGS)

test: test-deps ## builds and runs all tests
	swift build --build-tests $(SWIFT_FLAGS)
	Tests/all $(STATIC)

golden: test-deps ## writes the golden files again (help, exports, responses, docs/reference); review the differences
	swift build --build-tests $(SWIFT_FLAGS)
	PROMPTER_WRITE_GOLDEN=1 PROMPTER_WRITE_DOCS=1 $$(swift build --show-bin-path)/prompterPackageTests.xctest \
	  --testing-library swift-testing \
	  --filter 'GoldenHelp|The export is a contract|the committed pages|week of a family|The members of stored events|The responses to requests|The meaning of phrases|The rules for an alarm|The explanation of a time|The decision about each input'

fuzz: build test-deps ## runs all fuzzers; each fuzzer reads new inputs for ten minutes
	Tests/Fuzz/all.sh 600

soak-archive: test-deps release ## causes 2,000 faults in the archive of a study, then lets 1,000 links send; at most 2 hours (SEED=1)
	Tests/Archive/soak.sh .build/release $(SEED)

soak: deps ## explores every order of 7 inputs, then simulates one device-year after another until you stop it (SEED=1)
	swift build $(STATIC) --product prompter-sim
	.build/deb/release/prompter-sim --explore 7 --jobs $$(nproc)
	.build/deb/release/prompter-sim --soak --seed $(SEED) --jobs $$(nproc)

mutants: deps ## makes many small changes in the code, and counts the changes that the tests notice (COUNT=300 SEED=1)
	Tests/Mutation/run --count $(COUNT) --seed $(SEED)

lint: ## checks the formatting, the syntax of the shell scripts, and that no merge is unfinished
	swift format lint --strict --recursive --parallel Package.swift Sources Tests
	git grep -lE '^#!/bin/(ba)?sh' -- ':!*.md' | xargs -n 1 bash -n
	! git grep -nE '^(<<<<<<<|>>>>>>>) '

format: ## formats the Swift files in place
	swift format --in-place --recursive --parallel Package.swift Sources Tests

bench: test-deps release ## measures times, memory and wake-ups, and prints the results
	@demo/install-packages $(BENCH_PACKAGES)
	Benchmarks/run .build/release

demo: build ## shows a morning with a caretaker and a patient, in one minute
	demo/run .build/debug

demo-fleet: test-deps ## shows a morning of a study, in which three homes send their records to an archive
	swift build $(SWIFT_FLAGS)
	Tests/Archive/fleet.py .build/debug show

deb: deb-deps ## builds the Debian packages into .build/package
	swift build $(STATIC) --product prompterd
	swift build $(STATIC) --product prompter
	swift build $(STATIC) --product prompter-sound
	swift build $(STATIC) --product prompter-formats
	swift build $(STATIC) --product prompter-image
	swift build $(STATIC) --product prompter-calendar
	swift build $(STATIC) --product prompter-button
	swift build $(STATIC) --product prompter-screen
	swift build $(STATIC) --product prompter-web
	swift build $(STATIC) --product prompter-link
	swift build $(STATIC) --product prompter-link-timer
	swift build $(STATIC) --product prompter-archive
	rm -rf .build/package
	units/build-deb .build/deb/release .build/package
	units/check-deb .build/package

acceptance: acceptance-deps deb ## tests the package on a booted Debian, in a container and in an emulated machine (SCENARIOS=...)
	Tests/Acceptance/run .build/deb/release $(SCENARIOS)

describe: release ## writes manual pages and completions into .build/share
	units/self-description .build/release .build/share

install: describe ## installs the programs, their manual pages and completions below PREFIX (/usr/local)
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 .build/release/prompterd .build/release/prompter .build/release/prompter-sound .build/release/prompter-image \
	  .build/release/prompter-formats .build/release/prompter-calendar .build/release/prompter-button .build/release/prompter-screen \
	  $(DESTDIR)$(PREFIX)/bin
	install -d $(DESTDIR)$(PREFIX)/share
	cp -r --no-preserve=mode,ownership .build/share/. $(DESTDIR)$(PREFIX)/share

clean: ## removes all built files
	swift package clean
