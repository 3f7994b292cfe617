#!/usr/bin/env bash
# Fuzzes every target for so many seconds each (60 without an argument), one after the other on all cores.
#
#   fuzz/run.sh SECONDS [TARGET ...]
#
# Needs no nightly compiler and no cargo-fuzz: the coverage flags are stable, only the address sanitizer is not, and this
# code has no `unsafe`. FEATURES= leaves out the target that needs all engines, for a smoke run. What is found lies in fuzz/artifacts/TARGET; put it into fuzz/regressions/TARGET once it is fixed.
set -euo pipefail
cd "$(dirname "$0")"
seconds=${1:-60}
shift || true
if ! command -v c++ >/dev/null; then
  echo "fuzzing needs a C++ compiler, c++" >&2
  exit 2
fi
flags="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table -Ccodegen-units=1"
host=$(rustc -vV | sed -n 's/^host: //p')
# With --target the flags are for the code under test, not for build scripts.
RUSTFLAGS="$flags" cargo build --release --quiet --bins --features "${FEATURES-certificate}" --target "$host"
targets=("$@")
if [ ${#targets[@]} = 0 ]; then
  for file in fuzz_targets/*.rs; do targets+=("$(basename "$file" .rs)"); done
fi
for target in "${targets[@]}"; do
  # Not built without its feature.
  [ -x "target/$host/release/$target" ] || continue
  mkdir -p "corpus/$target" "artifacts/$target"
  seeds=()
  if [ -d "regressions/$target" ]; then seeds+=("regressions/$target"); fi
  # Level files have real files to begin with.
  if [ "$target" = level_files ]; then seeds+=(../crates/formats/tests/data/hostile ../levels); fi
  log=$(mktemp)
  if ! "target/$host/release/$target" "corpus/$target" "${seeds[@]}" -artifact_prefix="artifacts/$target/" \
    -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    echo "$target: FOUND something, see fuzz/artifacts/$target" >&2
    exit 1
  fi
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  printf '%-16s %12s runs, nothing found\n' "$target" "$runs"
  rm -f "$log"
done
