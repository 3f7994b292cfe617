#!/usr/bin/env bash
# Installs what the tests need, then runs every test. Exits non-zero at the first failure.
#
#   ./test.sh          everything; tests and commands are one build, in the profile that is released
#   ./test.sh quick    format, lints and tests of the workspace only, in the profile of tests: built sooner after a change,
#                      with debug assertions and overflow checks
#
# Where a folder ../shared/levels with public level collections exists (or LURD_SHARED names its
# parent), the checks against them run too; without it they say that they were skipped, and fail on a build server.
# Long runs (fuzzing by the minute, 200 killed proofs, licences of all dependencies) are in ./test-long.sh.
set -euo pipefail
# Each job in the background is a process group, so that it can be ended with all it started.
set -m
cd "$(dirname "$0")"
mkdir -p target
start=$SECONDS
say() { printf '\n== %s (%s s)\n' "$1" "$((SECONDS - start))"; }
# What `time` says of a step, in a shell of its own, so that it counts nothing else: two busy processors are what a run takes its
# time from.
TIMEFORMAT='took %0R s, %0U + %0S s of processors'

# What could not be tested here; said again at the end. On a build server it is a failure.
missed=target/missed.txt
: >"$missed"
miss() {
  lack "$1"
  if [ "${CI:-}" = true ]; then exit 1; fi
}
# The same, for what a build server may lack too.
lack() {
  printf '\n!! NOT TESTED: %s\n' "$1" >&2
  echo "$1" >>"$missed"
}

# Starts a function in the background; `finish` waits for it and shows what it printed and what it cost.
declare -A jobs=()
begin() {
  { time "$1" </dev/null; } >"target/job-$1.log" 2>&1 &
  jobs[$1]=$!
}
finish() {
  local failed=0
  wait "${jobs[$1]}" || failed=$?
  unset "jobs[$1]"
  cat "target/job-$1.log"
  if [ "$failed" != 0 ]; then exit "$failed"; fi
}
# A test that fails, or Ctrl-C, leaves nothing running.
trap 'for job in "${jobs[@]}"; do kill -- "-$job" 2>/dev/null || true; done' EXIT

# Installs Debian packages where that is possible: together, which is sooner, or else one by one.
install() {
  if [ $# = 0 ] || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then return; fi
  if apt-get install -y -qq "$@" >/dev/null 2>&1; then return; fi
  apt-get update -qq || true
  if apt-get install -y -qq "$@" >/dev/null 2>&1; then return; fi
  for package in "$@"; do apt-get install -y -qq "$package" >/dev/null || true; done
}
# Chromium as installed, or a copy of our own. Without its window it takes two thirds of the time.
find_chromium() {
  command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome ||
    find target/browsers -type f \( -name chrome -o -name chrome-headless-shell \) 2>/dev/null | grep -m 1 .
}
find_firefox() { command -v firefox-esr || command -v firefox; }

# Everything but Rust itself. A tool that cannot be had is missed where it is needed.
tools() {
  local missing=()
  if ! command -v valgrind >/dev/null; then missing+=(valgrind); fi
  if ! command -v nats-server >/dev/null; then missing+=(nats-server); fi
  if command -v npm >/dev/null; then
    if ! find_chromium >/dev/null; then missing+=(chromium-headless-shell); fi
    if ! find_firefox >/dev/null; then missing+=(firefox-esr); fi
  fi
  install "${missing[@]}"
  if ! rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null | xargs -r test -d; then
    rustup target add wasm32-unknown-unknown >/dev/null 2>&1 || true
  fi
  if command -v npm >/dev/null; then
    (cd tests/browser && npm install --silent)
    if ! find_chromium >/dev/null; then install chromium; fi
    if ! find_chromium >/dev/null; then
      (cd tests/browser && npx browsers install chrome-headless-shell@stable --path ../../target/browsers) || true
    fi
  fi
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then tests/windows/install.sh || true; fi
  if [ ! -x target/schemathesis/bin/schemathesis ]; then
    python3 -m venv target/schemathesis && target/schemathesis/bin/pip install --quiet --no-compile schemathesis==4.32.5 || true
  fi
}

# The page without a server, its program with less optimisation than a download has. Where there is no compiler for browsers,
# `static_page` says so.
site() {
  if rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null | xargs -r test -d; then
    PROFILE=dev CARGO_PROFILE_DEV_OPT_LEVEL=1 ./site.sh target/site
  fi
}

# Tests of all crates share the cores where nextest is there; without it one crate waits for the other.
run_tests() {
  if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run "${crates[@]}" --no-fail-fast --status-level fail --final-status-level slow
    cargo test "${crates[@]}" --doc --quiet
  else
    cargo test "${crates[@]}"
  fi
}

# The workbench without a server: the same tests in a browser, because no view knows who answers, and searches in workers.
static_page() {
  site
  local chromium
  if ! command -v npm >/dev/null || ! chromium=$(find_chromium); then return; fi
  if [ ! -f target/site/sw.js ]; then
    miss "the static page: the Rust target wasm32-unknown-unknown could not be installed"
    return
  fi
  if ! find_firefox >/dev/null; then lack "the static page in Firefox, which could not be installed"; fi
  CHROMIUM=$(realpath "$chromium") SITE=$(realpath target/site)
  export CHROMIUM SITE
  (cd tests/browser && npm test --silent && node collection.js ../../levels/lurd.xsb --levels 39-48 --least 10)
}

# The workbench: format and types of the page, the page in a browser, the API against its description.
workbench() {
  local chromium
  if ! command -v npm >/dev/null; then
    miss "the format and types of the page and the page in a browser: npm is missing, install Node.js 20 or newer"
  else
    (cd tests/browser && npm run --silent formatted && npm run --silent types)
    if chromium=$(find_chromium); then
      CHROMIUM=$(realpath "$chromium")
      export CHROMIUM
      (cd tests/browser && npm test --silent)
    else
      miss "the page in a browser: Chromium could not be found or installed"
    fi
  fi
  if [ ! -x target/schemathesis/bin/schemathesis ]; then
    miss "the API against its description: schemathesis could not be installed (needs python3 with venv)"
    return
  fi
  local served=0
  rm -f target/api-test.db*
  coproc serve { exec target/release/lurd serve --no-open --port 0 --time-limit 5 --memory-limit 256MiB --library target/api-test.db; }
  local server=$serve_PID
  read -r -u "${serve[0]}" line
  local address
  address=$(sed 's/.*\(http:[^ ]*\).*/\1/' <<<"$line")
  local checks=not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,unsupported_method
  (cd target && schemathesis/bin/schemathesis run "${address}api/v1/openapi.json" --checks "$checks" \
    --max-examples 50 --generation-deterministic) || served=1
  kill -INT "$server"
  wait "$server"
  [ "$served" = 0 ]
}

# The wheel: built, installed into a fresh environment, tested there; types of the package and its stubs.
wheel() {
  local python=target/wheel-test/bin
  rm -rf target/wheel-test target/wheels
  if ! python3 -m venv target/wheel-test || ! "$python/pip" install --quiet --no-compile -r crates/python/requirements-test.txt; then
    miss "the wheel: python3 with venv and the packages of crates/python/requirements-test.txt could not be had"
    return
  fi
  "$python/maturin" build --locked --quiet --manifest-path crates/python/Cargo.toml \
    --interpreter "$python/python" --out target/wheels
  "$python/pip" install --quiet target/wheels/lurd-*.whl
  "$python/python" -m pytest -q crates/python
  (cd crates/python && "../../$python/mypy" --strict python/lurd &&
    "../../$python/stubtest" lurd._lurd --mypy-config-file pyproject.toml)
}

# The Windows programs and the plug-in in a host program, under Wine. Wine for 32 bits is not to be had everywhere.
windows() {
  local ended=0
  for tool in wine x86_64-w64-mingw32-gcc i686-w64-mingw32-gcc; do
    if ! command -v "$tool" >/dev/null; then
      lack "the Windows programs and the plug-in: $tool could not be found or installed (see tests/windows/install.sh)"
      return
    fi
  done
  LURD=target/release/lurd tests/windows/run.sh 100 || ended=$?
  if [ "$ended" = 3 ]; then
    lack "the 32-bit plug-in: Wine runs no 32-bit programs here"
  elif [ "$ended" != 0 ]; then
    return "$ended"
  fi
}

# Batch runs that are killed, and over a real NATS server; long versions are in ./test-long.sh.
batch() {
  tests/batch/run.py copies
  tests/batch/run.py kill --kills 6
  if command -v nats-server >/dev/null; then
    tests/batch/run.py nats --kills 5
    tests/batch/run.py access
  else
    miss "batch runs over NATS: nats-server could not be found or installed"
  fi
}

# Documentation, packages, figures.
documents() {
  RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --release --locked --quiet
  libraries=(--workspace --exclude lurd-cli --exclude lurd-play --exclude lurd-plugin --exclude lurd-python --exclude lurd-wasm --exclude lurd-web)
  cargo package "${libraries[@]}" --no-verify --allow-dirty --quiet
  python3 docs/results.py --check
}

# Nodes and instructions of fixed runs: a change that makes searches dearer is noticed.
counts() {
  local wanted counted
  wanted=$(cat docs/bench-checksum.txt)
  counted=$(target/release/lurd bench | sed -n 's/^checksum \([0-9]*\).*/\1/p')
  if [ "$counted" != "$wanted" ]; then
    echo "lurd bench counts $counted, docs/bench-checksum.txt says $wanted: if a search was meant to change, put the new count there" >&2
    return 1
  fi
  if command -v valgrind >/dev/null; then tests/instructions/run.py; else miss "instruction counts: valgrind is missing"; fi
}

# No test touches the library and the progress of whoever runs it.
LURD_DATA=$PWD/target/test-data
export LURD_DATA

# Nobody debugs what is built here.
export CARGO_PROFILE_DEV_DEBUG=0

# A build server starts from nothing: keeping notes for the next build would only cost it time.
if [ "${CI:-}" = true ]; then export CARGO_INCREMENTAL=0; fi

profile=(--release)
if [ "${1:-}" = quick ]; then profile=(); fi
crates=(--workspace --locked "${profile[@]}")

say "format"
if ! command -v cargo >/dev/null; then
  echo "cargo is missing: install Rust (rustup.rs), then run ./test.sh again" >&2
  exit 2
fi
for component in rustfmt clippy; do
  if ! cargo "${component/rust/}" --version >/dev/null 2>&1; then
    rustup component add "$component"
  fi
done
cargo fmt --all --check
(cd fuzz && cargo fmt --check)
cargo fetch --locked
if [ "${1:-}" != quick ]; then begin tools; fi

# Clippy knows the oldest compiler that is promised, and what its standard library lacks; ./test-long.sh runs that compiler.
say "lints"
(time cargo clippy "${crates[@]}" --all-targets -- -D warnings)

# Two processors: what waits for others runs beside what computes.
say "build of the tests and the commands"
(time cargo test "${crates[@]}" --no-run)
if [ "${1:-}" != quick ]; then
  finish tools
  begin workbench
  begin static_page
  begin windows
fi
say "unit, property, oracle and end-to-end tests"
(time run_tests)
if [ "${1:-}" = quick ]; then exit 0; fi
begin wheel
begin documents
begin counts
begin batch

say "the first command of the README"
cargo run --release --locked -- solve >/dev/null

say "fuzzing, a few thousand inputs for each target"
if command -v c++ >/dev/null; then
  (time FEATURES='' PROFILE=dev fuzz/run.sh --runs 2000)
else
  lack "the fuzz targets: there is no C++ compiler to build the fuzzer with"
fi

say "node and instruction counts"
finish counts

say "documentation, packages, figures"
finish documents

say "batch runs: killed, and over NATS"
finish batch

say "the wheel: tests in a fresh environment, types"
finish wheel

say "the workbench: format, types, the page in Chromium, the API against its description"
finish workbench

say "the workbench without a server"
finish static_page

say "the Windows programs and the plug-in under Wine"
finish windows

say "done"
while read -r what; do echo "!! NOT TESTED: $what" >&2; done <"$missed"
