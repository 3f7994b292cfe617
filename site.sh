#!/usr/bin/env bash
# The workbench as a static page: HTML, JavaScript and WebAssembly for any file server, in any folder of it.
#
#   ./site.sh DIR      builds the page into DIR, which is made if need be; PROFILE=dev builds it sooner, for slower searches
#
# Needs Rust with rustup, which gets the target wasm32-unknown-unknown. wasm-opt is not used: -O3 takes minutes, and what it makes
# is no faster and compresses worse.
set -euo pipefail
if [ $# != 1 ] || [ -z "$1" ] || [ "${1#-}" != "$1" ]; then
  echo "usage: ./site.sh DIR" >&2
  exit 2
fi
if [ -e "$1" ] && [ ! -f "$1/sw.js" ] && [ -n "$(ls -A "$1")" ]; then
  echo "$1 holds other things than a page of lurd: name an empty or a new folder" >&2
  exit 2
fi
mkdir -p "$1"
site=$(realpath "$1")
cd "$(dirname "$0")"

target=wasm32-unknown-unknown
profile=${PROFILE:-site}
folder=$profile
if [ "$profile" = dev ]; then folder=debug; fi
if ! rustc --print target-libdir --target "$target" 2>/dev/null | xargs -r test -d; then
  rustup target add "$target"
fi
# SIMD is in every browser of today. The stack is as large as that of a worker on other systems is allowed to grow. Panic
# messages name source files: not by their place on this machine. The separator allows spaces in that place.
flags=(-Ctarget-feature=+simd128 -Clink-arg=-zstack-size=8388608 "--remap-path-prefix=$PWD=lurd" "--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src=crates")
CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f'; echo "${flags[*]}") cargo build --profile "$profile" --locked --target "$target" -p lurd-wasm

made=$(mktemp -d target/site.XXXXXX)
trap 'rm -rf "$made"' EXIT
cp -r crates/web/page/. "$made"
find "$made" -name "*.d.ts" -delete
# It runs for a second or two: whatever optimisation is asked for above, optimising this one would take longer.
(cd crates/wasm/bindgen && env -u CARGO_PROFILE_DEV_OPT_LEVEL cargo build --locked --quiet --target-dir ../../../target/bindgen)
target/bindgen/debug/lurd-bindgen "target/$target/$folder/lurd_wasm.wasm" "$made/wasm"

# The service worker keeps all files, and is another one whenever one of them is.
files=$(cd "$made" && find . -type f ! -name sw.js -printf '%P\n' | LC_ALL=C sort | sed 's/.*/"&", /' | tr -d '\n')
version=$(cd "$made" && find . -type f | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -c 1-16)
sed -i "s|^const SITE = .*|const SITE = { version: \"$version\", files: [\"./\", ${files%, }] };|" "$made/sw.js"
chmod 755 "$made"
rm -rf "${site:?}"/*
cp -r "$made"/. "$site"
echo "the page is in $1: $(find "$site" -type f | wc -l) files, $(du -sh "$site" | cut -f 1)"
