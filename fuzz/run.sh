#!/usr/bin/env bash
# Fuzzes every target for so many seconds each (60 without an argument), one after the other.
#
#   fuzz/run.sh SECONDS [TARGET ...]
#
# FEATURES= leaves out the target that needs all engines, for a smoke run. What is found lies in fuzz/artifacts/TARGET; put
# it into fuzz/regressions/TARGET once it is fixed.
set -euo pipefail
cd "$(dirname "$0")"
seconds=${1:-60}
shift || true
export FEATURES=${FEATURES-certificate}
./build.sh
host=$(rustc -vV | sed -n 's/^host: //p')
targets=("$@")
if [ ${#targets[@]} = 0 ]; then
  for file in fuzz_targets/*.rs; do targets+=("$(basename "$file" .rs)"); done
  if [ -z "$FEATURES" ]; then targets=("${targets[@]/certificate/}"); fi
fi
for target in "${targets[@]}"; do
  [ -n "$target" ] || continue
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
