#!/usr/bin/env bash
# Installs what the tests need, then runs every test. Exits non-zero at the first failure.
#
#   ./test.sh          everything
#   ./test.sh quick    format, lints and unit tests only
#
# Where a folder ../shared/levels with public level collections exists (or LURD_SHARED names its
# parent), the checks against them run too; without it they say that they were skipped.
set -euo pipefail
cd "$(dirname "$0")"
start=$SECONDS
say() { printf '\n== %s (%s s)\n' "$1" "$((SECONDS - start))"; }

say "tools"
if ! command -v cargo >/dev/null; then
  echo "cargo is missing: install Rust (rustup.rs), then run ./test.sh again" >&2
  exit 2
fi
for component in rustfmt clippy; do
  if ! cargo "${component/rust/}" --version >/dev/null 2>&1; then
    rustup component add "$component"
  fi
done
cargo fetch --locked

say "format"
cargo fmt --all --check

say "lints"
cargo clippy --workspace --all-targets --locked -- -D warnings

say "unit, property, oracle and end-to-end tests"
cargo test --workspace --locked

[ "${1:-}" = quick ] && exit 0

say "the first command of the README"
cargo run --release --locked -- solve >/dev/null

say "node counts"
wanted=$(cat docs/bench-checksum.txt)
counted=$(target/release/lurd bench | sed -n 's/^checksum \([0-9]*\).*/\1/p')
if [ "$counted" != "$wanted" ]; then
  echo "lurd bench counts $counted, docs/bench-checksum.txt says $wanted: if a search was meant to change, put the new count there" >&2
  exit 1
fi

say "done"
