#!/usr/bin/env bash
# Builds the fuzz targets with coverage counters. Needs no nightly compiler and no cargo-fuzz: the coverage flags are
# stable, only the address sanitizer is not, and this code has no `unsafe`. FEATURES= leaves out the target that needs
# all engines, PROFILE=dev builds sooner what runs slower.
set -euo pipefail
cd "$(dirname "$0")"
command -v c++ >/dev/null || exit 0
flags="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4"
flags+=" -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table"
host=$(rustc -vV | sed -n 's/^host: //p')
# With --target the flags are for the code under test, not for build scripts.
RUSTFLAGS="$flags" cargo build --profile "${PROFILE:-release}" --quiet --bins --features "${FEATURES-}" --target "$host" --target-dir target
