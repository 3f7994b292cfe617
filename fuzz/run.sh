#!/usr/bin/env bash
# Fuzzes every target for so many seconds each (60 without an argument), one after the other.
#
#   fuzz/run.sh SECONDS [TARGET ...]
#   fuzz/run.sh --runs N [TARGET ...]    so many inputs each, the same in every run: for a smoke test
#
# FEATURES= leaves out the target that needs all engines, PROFILE=dev builds sooner what runs slower: for a smoke run.
# What is found lies in fuzz/artifacts/TARGET; put it into fuzz/regressions/TARGET once it is fixed.
set -euo pipefail
cd "$(dirname "$0")"
if [ "${1:-}" = --runs ]; then
  runs=$2
  shift 2
else
  seconds=${1:-60}
  shift || true
fi
export FEATURES=${FEATURES-certificate} PROFILE=${PROFILE:-release}
./build.sh
built=$PROFILE
if [ "$PROFILE" = dev ]; then built=debug; fi
host=$(rustc -vV | sed -n 's/^host: //p')
targets=("$@")
if [ ${#targets[@]} = 0 ]; then
  for file in fuzz_targets/*.rs; do targets+=("$(basename "$file" .rs)"); done
  if [ -z "$FEATURES" ]; then targets=("${targets[@]/certificate/}"); fi
fi
for target in "${targets[@]}"; do
  [ -n "$target" ] || continue
  mkdir -p "corpus/$target" "artifacts/$target"
  if [ -n "${runs:-}" ]; then
    # Nothing that earlier runs kept: equal seeds and equal inputs.
    corpus=$(mktemp -d)
    extent=(-seed=1 -runs="$runs")
  else
    corpus=corpus/$target
    extent=(-max_total_time="$seconds")
  fi
  seeds=()
  if [ -d "regressions/$target" ]; then seeds+=("regressions/$target"); fi
  # Level files have real files to begin with.
  if [ "$target" = level_files ]; then seeds+=(../crates/formats/tests/data/hostile ../levels); fi
  log=$(mktemp)
  if ! "target/$host/$built/$target" "$corpus" "${seeds[@]}" -artifact_prefix="artifacts/$target/" \
    "${extent[@]}" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    echo "$target: FOUND something, see fuzz/artifacts/$target" >&2
    exit 1
  fi
  executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  printf '%-16s %12s runs, nothing found\n' "$target" "$executed"
  rm -f "$log"
  if [ -n "${runs:-}" ]; then rm -rf "$corpus"; fi
done
