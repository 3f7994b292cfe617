#!/usr/bin/env bash
# What takes too long for ./test.sh: fuzzing by the minute, killed proofs and batch runs, a robot on the page, a slow
# connection, a full memory, whole packages, the oldest compiler, licences of all dependencies, the downloads.
#
#   ./test-long.sh [SECONDS]     seconds of fuzzing for each target; 600 without an argument
set -euo pipefail
cd "$(dirname "$0")"
say() { printf '\n== %s\n' "$1"; }

say "tests that are left out of every run, and all others with debug assertions and overflow checks"
cargo test --release --locked -p lurd-cli -p lurd -- --ignored
cargo test --workspace --locked

say "batch runs over everything, killed a hundred times; over NATS, killed fifty times; four hosts"
tests/batch/run.py kill --kills 100 --nodes 200000 levels
tests/batch/run.py nats --kills 50 --nodes 200000 --workers 2 levels
tests/batch/run.py nats --kills 50 --nodes 200000 --workers 4 levels
tests/batch/run.py speed --nodes 200000 levels
if [ "$(id -u)" = 0 ]; then tests/batch/run.py namespaces --nodes 500000 --seconds 60 levels; fi
tests/batch/run.py copies levels/lurd.xsb
tests/batch/run.py library

say "200 interruptions of proofs, most of them while they resume"
cargo build --release --locked --bin lurd
tests/proofs/run.py levels/lurd.xsb:51 levels/lurd.xsb:53

say "packages of the libraries, each built from what would be published"
cargo package --workspace --exclude lurd-cli --exclude lurd-play --exclude lurd-plugin --exclude lurd-python --exclude lurd-wasm --exclude lurd-web --allow-dirty

say "100,000 random calls of the Python package, in the environment that ./test.sh made"
if [ -x target/wheel-test/bin/python ]; then
  LURD_CALLS=100000 target/wheel-test/bin/python -m pytest -q crates/python/tests/test_random_calls.py
else
  echo "run ./test.sh first: it builds the wheel" >&2
  exit 2
fi

say "the oldest compiler that is promised"
oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
rustup run "$oldest" cargo --version >/dev/null 2>&1 || rustup toolchain install "$oldest" --profile minimal
rustup run "$oldest" cargo check -p lurd --locked --quiet --target-dir target/oldest

say "licences, sources and duplicates of the dependencies"
if ! cargo deny --version >/dev/null 2>&1; then cargo install --locked cargo-deny; fi
cargo deny check bans licenses sources

say "a robot on the page for five minutes"
cargo build --release --locked --bin lurd
(cd tests/browser && npm install --silent && node robot.js 300 "${ROBOT_SEED:-1}")

say "the page over a slow connection, with and without a server: every answer is up to 1.5 seconds late"
PROFILE=dev CARGO_PROFILE_DEV_OPT_LEVEL=1 ./site.sh target/site
(cd tests/browser && LATE=1500 npm test --silent && LATE=1500 SITE=$(realpath ../../target/site) npm test --silent)

say "a search in the static page that fills 2 GiB: some minutes"
(cd tests/browser && SITE=$(realpath ../../target/site) node memory.js)

say "the downloads, twice: the same bytes"
downloads=$(mktemp -d)
./release.sh "$downloads/first"
./release.sh "$downloads/second"
diff "$downloads/first/SHA256SUMS" "$downloads/second/SHA256SUMS"

say "the Windows programs of the downloads and 1,000 calls of their plug-in, under Wine"
tests/windows/install.sh
unzip -q -d "$downloads" "$downloads"/first/*-windows-x86_64.zip
# Without 32-bit Wine, which not every mirror has, it says so and ends with 3.
DOWNLOAD=$(echo "$downloads"/*-windows-x86_64) LURD=target/release/lurd tests/windows/run.sh 1000 || [ $? = 3 ]
rm -rf "$downloads"

say "fuzzing"
fuzz/run.sh "${1:-600}"
(cd fuzz && cargo test --release --features certificate --quiet)
