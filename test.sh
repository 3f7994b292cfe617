#!/usr/bin/env bash
# Installs what the tests need, where it can, and runs every test.
#
#   ./test.sh          everything; tests and commands are one build, in the profile that is released
#   ./test.sh quick    format, lints and tests of the workspace only, in the profile of tests: built sooner after a change,
#                      with debug assertions and overflow checks; installs nothing
#
# It needs Rust, a C compiler and bash. What cannot be tested without other programs is said at the end ("NOT TESTED: ...") and is
# no failure. The last line counts the tests of all runners; a step without a count of its own is one test. The exit code is 1 if
# one failed.
# Long runs (fuzzing by the minute, 200 killed proofs, licences of all dependencies) are in ./test-long.sh.
set -euo pipefail
# Each job in the background is a process group, so that it can be ended with all it started.
set -m
cd "$(dirname "$0")"
logs=target/test-logs
rm -rf "$logs"
mkdir -p "$logs"
start=$SECONDS
say() { printf '\n== %s (%s s)\n' "$1" "$((SECONDS - start))"; }
# What `time` says of a step, in a shell of its own, so that it counts nothing else: two busy processors are what a run takes its
# time from.
TIMEFORMAT='took %0R s, %0U + %0S s of processors'

tally() { echo "$1 $2 $3" >>"$logs/tally"; }
# What could not be tested here.
miss() {
  printf '\n!! NOT TESTED: %s\n' "$1"
  echo "$1" >>"$logs/missed"
  tally 0 0 1
}
fail() {
  printf '\n!! FAILED: %s\n' "$1"
  echo "$1" >>"$logs/failed"
  tally 0 1 0
}
# A step that is one test.
try() {
  local name=$1
  shift
  if "$@"; then tally 1 0 0; else fail "$name"; fi
}
# A step whose runner counts its tests: cargo, nextest, pytest, node or fuzz/run.sh.
count() {
  local name=$1 log status=0 line passed=0 failed=0 skipped=0
  shift
  log=$(mktemp "$logs/count.XXXXXX")
  "$@" 2>&1 | tee "$log" || status=$?
  local cargo='([0-9]+) passed; ([0-9]+) failed; ([0-9]+) ignored'
  local nextest='^ *Summary \[' pytest=' in [0-9.]+s( \(.*\))?( =+)?$' node='(pass|fail|skipped) ([0-9]+)$' fuzz='runs, nothing found$'
  while IFS= read -r line; do
    if [[ $line =~ $cargo ]]; then
      passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2])) skipped=$((skipped + BASH_REMATCH[3]))
    elif [[ $line =~ $nextest || $line =~ $pytest ]]; then
      if [[ $line =~ ([0-9]+)\ passed ]]; then passed=$((passed + BASH_REMATCH[1])); fi
      if [[ $line =~ ([0-9]+)\ failed ]]; then failed=$((failed + BASH_REMATCH[1])); fi
      if [[ $line =~ ([0-9]+)\ errors? ]]; then failed=$((failed + BASH_REMATCH[1])); fi
      if [[ $line =~ ([0-9]+)\ timed\ out ]]; then failed=$((failed + BASH_REMATCH[1])); fi
      if [[ $line =~ ([0-9]+)\ skipped ]]; then skipped=$((skipped + BASH_REMATCH[1])); fi
    elif [[ $line =~ $node ]]; then
      case ${BASH_REMATCH[1]} in
        pass) passed=$((passed + BASH_REMATCH[2])) ;;
        fail) failed=$((failed + BASH_REMATCH[2])) ;;
        *) skipped=$((skipped + BASH_REMATCH[2])) ;;
      esac
    elif [[ $line =~ $fuzz ]]; then
      passed=$((passed + 1))
    fi
  done <"$log"
  tally "$passed" "$failed" "$skipped"
  if [ "$failed" != 0 ]; then
    echo "$name" >>"$logs/failed"
  elif [ "$status" != 0 ]; then
    fail "$name ended with $status"
  elif [ "$passed" = 0 ]; then
    fail "$name: no test ran"
  fi
}
# What was not tested, what failed, the sums; the end.
finish_all() {
  local passed=0 failed=0 skipped=0 p f s what
  say "done"
  touch "$logs/missed" "$logs/failed" "$logs/tally"
  while IFS= read -r what; do echo "!! NOT TESTED: $what"; done <"$logs/missed"
  while IFS= read -r what; do echo "!! FAILED: $what"; done <"$logs/failed"
  while read -r p f s; do passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s)); done <"$logs/tally"
  echo "$passed passed, $failed failed, $skipped skipped"
  if [ "$failed" = 0 ]; then exit 0; fi
  exit 1
}

# Starts a function in the background; `finish` waits for it and shows what it printed and what it cost.
running=()
begin() {
  { time "$1" </dev/null; } >"$logs/job-$1" 2>&1 &
  running+=("$!")
  eval "job_$1=$!"
}
finish() {
  local job="job_$1" status=0
  wait "${!job}" || status=$?
  cat "$logs/job-$1"
  if [ "$status" != 0 ]; then fail "the step '$1' ended with $status"; fi
}
# Ctrl-C leaves nothing running.
trap 'for job in ${running[@]+"${running[@]}"}; do kill -- "-$job" 2>/dev/null || true; done' EXIT

has() { command -v "$1" >/dev/null; }
has_target() { [ -d "$(rustc --print target-libdir --target "$1" 2>/dev/null || echo none)" ]; }

# Installs Debian packages where that is possible: together, which is sooner, or else one by one.
install() {
  if [ $# = 0 ] || [ "$(id -u)" != 0 ] || ! has apt-get; then return 0; fi
  if apt-get install -y -qq "$@" >/dev/null 2>&1; then return 0; fi
  apt-get update -qq || true
  if apt-get install -y -qq "$@" >/dev/null 2>&1; then return 0; fi
  for package in "$@"; do apt-get install -y -qq "$package" >/dev/null || true; done
}
# Chromium as installed, or a copy of our own. Without its window it takes two thirds of the time.
find_chromium() {
  local name
  for name in chromium-headless-shell chromium chromium-browser google-chrome; do
    if command -v "$name"; then return 0; fi
  done
  for name in target/browsers/*/*/*/chrome-headless-shell target/browsers/*/*/*/chrome; do
    if [ -x "$name" ]; then echo "$name"; return 0; fi
  done
  return 1
}
has_firefox() { has firefox-esr || has firefox; }

# Everything but Rust itself. A tool that cannot be had is missed where it is needed.
tools() {
  local missing=()
  if ! has valgrind; then missing+=(valgrind); fi
  if ! has nats-server; then missing+=(nats-server); fi
  if has npm; then
    if ! find_chromium >/dev/null; then missing+=(chromium-headless-shell); fi
    if ! has_firefox; then missing+=(firefox-esr); fi
  fi
  install ${missing[@]+"${missing[@]}"}
  if has rustup && ! has_target wasm32-unknown-unknown; then rustup target add wasm32-unknown-unknown >/dev/null 2>&1 || true; fi
  if has npm; then
    (cd tests/browser && npm install --silent) || true
    if ! find_chromium >/dev/null; then install chromium; fi
    if ! find_chromium >/dev/null; then
      (cd tests/browser && npx browsers install chrome-headless-shell@stable --path ../../target/browsers) || true
    fi
  fi
  if has apt-get && [ "$(id -u)" = 0 ]; then tests/windows/install.sh || true; fi
  if has python3 && [ ! -x target/schemathesis/bin/schemathesis ]; then
    python3 -m venv target/schemathesis && target/schemathesis/bin/pip install --quiet --no-compile schemathesis==4.32.5 || true
  fi
}

# Tests of all crates share the cores where nextest is there; without it one crate waits for the other.
run_tests() {
  if cargo nextest --version >/dev/null 2>&1; then
    count "tests" cargo nextest run "${crates[@]}" --color never --no-fail-fast --status-level fail --final-status-level slow
    count "examples of the documentation" cargo test "${crates[@]}" --doc --quiet
  else
    count "tests" cargo test "${crates[@]}" --no-fail-fast
  fi
}

# The page in a browser; npm and its packages are there or nothing is.
can_browse() { has npm && [ -d tests/browser/node_modules ] && find_chromium >/dev/null; }
browse() {
  CHROMIUM=$(realpath "$(find_chromium)")
  export CHROMIUM
  (cd tests/browser && npm test --silent)
}

# The workbench without a server: the same tests in a browser, because no view knows who answers, and searches in workers.
static_page() {
  if ! has_target wasm32-unknown-unknown; then
    miss "the static page: the Rust target wasm32-unknown-unknown could not be installed"
    return
  fi
  # The page's program with less optimisation than a download has.
  try "the static page" env PROFILE=dev CARGO_PROFILE_DEV_OPT_LEVEL=1 ./site.sh target/site
  if [ ! -f target/site/sw.js ]; then return; fi
  if ! can_browse; then
    miss "the static page in a browser: it needs Node.js 20 or newer with npm, and Chromium"
    return
  fi
  if ! has_firefox; then miss "the static page in Firefox, which could not be installed"; fi
  SITE=$(realpath target/site)
  export SITE
  count "the static page in a browser" browse
  try "a collection solved by the static page" collection
}
collection() {
  CHROMIUM=$(realpath "$(find_chromium)")
  export CHROMIUM
  (cd tests/browser && node collection.js ../../levels/lurd.xsb --levels 39-48 --least 10)
}

# The workbench: format and types of the page, the page in a browser, the API against its description.
workbench() {
  if has npm && [ -d tests/browser/node_modules ]; then
    try "the format of the page's JavaScript" npm --prefix tests/browser run --silent formatted
    try "the page's types" npm --prefix tests/browser run --silent types
  else
    miss "the format and types of the page: npm and its packages are missing, install Node.js 20 or newer"
  fi
  if can_browse; then
    count "the page in a browser" browse
  else
    miss "the page in a browser: it needs Node.js 20 or newer with npm, and Chromium"
  fi
  if [ -x target/schemathesis/bin/schemathesis ]; then
    try "the API against its description" api
  else
    miss "the API against its description: schemathesis could not be installed (needs python3 with venv)"
  fi
}
api() {
  local served=$logs/served server line='' status=0 address='http:[^ ]*'
  rm -f target/api-test.db*
  target/release/lurd serve --no-open --port 0 --time-limit 5 --memory-limit 256MiB --library target/api-test.db >"$served" &
  server=$!
  while ! [[ $line =~ $address ]]; do
    if ! kill -0 "$server" 2>/dev/null; then return 1; fi
    sleep 0.1
    IFS= read -r line <"$served" || true
  done
  address=${BASH_REMATCH[0]}
  local checks=not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,unsupported_method
  (cd target && schemathesis/bin/schemathesis run "${address}api/v1/openapi.json" --checks "$checks" \
    --max-examples 50 --generation-deterministic) || status=1
  kill -INT "$server"
  wait "$server" || status=1
  return "$status"
}

# The wheel: built, installed into a fresh environment, tested there; types of the package and its stubs.
wheel() {
  local python=target/wheel-test/bin
  rm -rf target/wheel-test target/wheels
  if ! has python3 || ! python3 -m venv target/wheel-test ||
    ! "$python/pip" install --quiet --no-compile -r crates/python/requirements-test.txt; then
    miss "the wheel: python3 with venv and the packages of crates/python/requirements-test.txt could not be had"
    return
  fi
  if ! "$python/maturin" build --locked --quiet --manifest-path crates/python/Cargo.toml \
    --interpreter "$python/python" --out target/wheels || ! "$python/pip" install --quiet target/wheels/lurd-*.whl; then
    fail "the wheel"
    return
  fi
  count "the Python package" "$python/python" -m pytest -q --color=no crates/python
  try "types of the Python package" types_of_python
}
types_of_python() {
  (cd crates/python && ../../target/wheel-test/bin/mypy --strict python/lurd &&
    ../../target/wheel-test/bin/stubtest lurd._lurd --mypy-config-file pyproject.toml)
}

# The Windows programs and the plug-in in a host program, under Wine. Wine for 32 bits is not to be had everywhere.
windows() {
  local ended=0
  for tool in wine x86_64-w64-mingw32-gcc i686-w64-mingw32-gcc python3; do
    if ! has "$tool"; then
      miss "the Windows programs and the plug-in: $tool could not be found or installed (see tests/windows/install.sh)"
      return
    fi
  done
  LURD=target/release/lurd tests/windows/run.sh 100 || ended=$?
  case $ended in
    0) tally 1 0 0 ;;
    3)
      tally 1 0 0
      miss "the 32-bit plug-in: Wine runs no 32-bit programs here"
      ;;
    *) fail "the Windows programs and the plug-in" ;;
  esac
}

# Batch runs that are killed, and over a real NATS server; long versions are in ./test-long.sh.
batch() {
  if ! has python3; then
    miss "batch runs that are killed, and over NATS: python3 is missing"
    return
  fi
  try "a batch run over copies of levels" tests/batch/run.py copies
  try "batch runs that are killed" tests/batch/run.py kill --kills 6
  if has nats-server; then
    try "batch runs over NATS" tests/batch/run.py nats --kills 5
    try "access to batch runs over NATS" tests/batch/run.py access
  else
    miss "batch runs over NATS: nats-server could not be found or installed"
  fi
}

# Documentation and packages.
documents() {
  try "documentation" env RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --release --locked --quiet
  libraries=(--workspace --exclude lurd-cli --exclude lurd-play --exclude lurd-plugin --exclude lurd-python --exclude lurd-wasm --exclude lurd-web)
  try "packages" cargo package "${libraries[@]}" --no-verify --allow-dirty --quiet
}

# Nodes and instructions of fixed runs: a change that makes searches dearer is noticed.
counts() {
  try "node counts" node_counts
  if has valgrind && has python3; then
    try "instruction counts" tests/instructions/run.py
  else
    miss "instruction counts: valgrind or python3 is missing"
  fi
}
node_counts() {
  local wanted counted checksum='checksum ([0-9]+)'
  wanted=$(cat docs/bench-checksum.txt)
  counted=$(target/release/lurd bench)
  [[ $counted =~ $checksum ]] || return 1
  if [ "${BASH_REMATCH[1]}" != "$wanted" ]; then
    echo "lurd bench counts ${BASH_REMATCH[1]}, docs/bench-checksum.txt says $wanted: if a search was meant to change, put the new count there"
    return 1
  fi
}

# No test touches the library and the progress of whoever runs it.
LURD_DATA=$PWD/target/test-data
export LURD_DATA

# Nobody debugs what is built here.
export CARGO_PROFILE_DEV_DEBUG=0

# A build server starts from nothing: keeping notes for the next build would only cost it time.
if [ "${CI:-}" = true ]; then export CARGO_INCREMENTAL=0; fi

quick=false
crates=(--workspace --locked)
case ${1:-} in
  '') crates+=(--release) ;;
  quick) quick=true ;;
  *)
    echo "usage: ./test.sh [quick]" >&2
    exit 2
    ;;
esac

if ! has cargo; then
  echo "cargo is missing: install Rust (rustup.rs), then run ./test.sh again" >&2
  exit 2
fi

say "format"
for component in rustfmt clippy; do
  if ! cargo "${component/rust/}" --version >/dev/null 2>&1 && ! $quick && has rustup; then
    rustup component add "$component" || true
  fi
done
if cargo fmt --version >/dev/null 2>&1; then
  try "format" cargo fmt --all --check
  try "format of the fuzz targets" cargo fmt --manifest-path fuzz/Cargo.toml --check
else
  miss "format: rustfmt is missing"
fi
if ! cargo fetch --locked; then
  fail "crates that lurd depends on could not be fetched"
  finish_all
fi
if ! $quick; then begin tools; fi

# Clippy knows the oldest compiler that is promised, and what its standard library lacks; ./test-long.sh runs that compiler.
say "lints"
if cargo clippy --version >/dev/null 2>&1; then
  (time try "lints" cargo clippy "${crates[@]}" --all-targets -- -D warnings)
else
  miss "lints: clippy is missing"
fi

# Two processors: what waits for others runs beside what computes.
say "build of the tests and the commands"
if ! (time cargo test "${crates[@]}" --no-run); then
  fail "build of the tests and the commands"
  finish_all
fi
if ! $quick; then
  finish tools
  begin workbench
  begin static_page
  begin windows
fi
say "unit, property, oracle and end-to-end tests"
(time run_tests)
if $quick; then finish_all; fi
begin wheel
begin documents
begin counts
begin batch

say "the first command of the README"
try "the first command of the README" cargo run --release --locked -- solve >"$logs/first-command"

say "fuzzing, a few thousand inputs for each target"
if has c++; then
  (time count "fuzzing" env FEATURES= PROFILE=dev fuzz/run.sh --runs 2000)
else
  miss "the fuzz targets: there is no C++ compiler to build the fuzzer with"
fi

say "node and instruction counts"
finish counts

say "documentation, packages"
finish documents

say "batch runs: killed, and over NATS"
finish batch

say "the wheel: tests in a fresh environment, types"
finish wheel

say "the workbench: types, the page in Chromium, the API against its description"
finish workbench

say "the workbench without a server"
finish static_page

say "the Windows programs and the plug-in under Wine"
finish windows

finish_all
