#!/usr/bin/env bash
# Builds everything that is offered for download from the last commit into FOLDER, with checksums.
#
#   ./release.sh [FOLDER]          target/downloads without an argument; what it holds is replaced
#
# * Linux: static binaries (musl), manual page, completions      * Windows: programs and the two plug-ins
# * the Python wheel and the static page, where their sources exist
# * the licences of all dependencies and a bill of materials (CycloneDX)
#
# Two runs on one commit with one set of tools should give the same bytes: the sources lie at the same place each time and
# are built from nothing, their place is not in the binaries, and all times are that of the commit. ./test-long.sh compares.
set -euo pipefail
cd "$(dirname "$0")"
say() { printf '\n== %s (%s s)\n' "$1" "$SECONDS"; }
stop() {
  echo "release.sh: $1" >&2
  exit 2
}

if [ -n "$(git status --porcelain)" ]; then stop "there are changes that are not committed: a release is made from a commit"; fi
mkdir -p target
tree=$PWD/target/release-tree
mkdir -p "${1:-target/downloads}"
out=$(realpath "${1:-target/downloads}")
case "$PWD/" in "$out"/*) stop "$out holds the sources; name a folder of its own" ;; esac
find "$out" -mindepth 1 -maxdepth 1 \( -name 'lurd-*' -o -name 'SHA256SUMS' \) -exec rm -rf {} +
if [ -n "$(ls -A "$out")" ]; then stop "$out holds other things than downloads of lurd; name an empty or a new folder"; fi

SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH CARGO_INCREMENTAL=0 CARGO_PROFILE_RELEASE_STRIP=symbols LC_ALL=C TZ=UTC
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
name=lurd-$version
umask 022

say "tools"
linux=x86_64-unknown-linux-musl windows=x86_64-pc-windows-gnu windows32=i686-pc-windows-gnu
for program in musl-gcc x86_64-w64-mingw32-gcc i686-w64-mingw32-gcc python3; do
  command -v "$program" >/dev/null || stop "$program is missing: install musl-tools, gcc-mingw-w64 and python3 (names of Debian)"
done
rustup target add "$linux" "$windows" "$windows32" >/dev/null 2>&1 || stop "the Rust targets $linux, $windows and $windows32 cannot be installed"
tools=$PWD/target/tools
export PATH="$tools/bin:$PATH"
fetch() { cargo install --quiet --locked --root "$tools" --target-dir target/tools-build "$@"; }
command -v cargo-about >/dev/null || fetch cargo-about@0.9.3 --features cli
command -v cargo-cyclonedx >/dev/null || fetch cargo-cyclonedx@0.5.9
rm -rf target/tools-build

say "sources"
rm -rf "$tree"
git clone --quiet --no-hardlinks . "$tree"
trap 'rm -rf "$tree"' EXIT
cd "$tree"

# Panic messages name source files: not by their place on this machine.
home=${CARGO_HOME:-$HOME/.cargo}
remap="--remap-path-prefix=$tree=/lurd --remap-path-prefix=$home=/cargo"
export CFLAGS="-ffile-prefix-map=$tree=/lurd -ffile-prefix-map=$home=/cargo"
build() {
  local target=$1 flags=$2
  shift 2
  say "$target: $*"
  RUSTFLAGS="$remap $flags" cargo build --release --locked --quiet --target "$target" "$@"
}
build "$linux" '' -p lurd-cli
# The linker of mingw writes the time of the day into every file unless it is told not to.
build "$windows" '-C link-arg=-Wl,--no-insert-timestamp' -p lurd-cli -p lurd-plugin
build "$windows32" '-C link-arg=-Wl,--no-insert-timestamp' -p lurd-plugin
built() { echo "$tree/target/$1/release/$2"; }
# A program that needs no loader names none; ldd would call such a program a success.
if readelf --program-headers "$(built "$linux" lurd)" | grep -q INTERP; then stop "the Linux binary is not static"; fi
[ "$("$(built "$linux" lurd)" --version)" = "lurd $version" ] || stop "the binary does not tell its version"

say "licences and bill of materials"
# The texts come from the packages themselves. All crates of the workspace: plug-in, page and wheel have libraries of their own.
cargo about generate --frozen --fail --workspace --manifest-path crates/cli/Cargo.toml docs/licences.hbs -o "$out/$name-licences.txt"
cargo cyclonedx --quiet --format json --manifest-path crates/cli/Cargo.toml --override-filename bom --target all
sed "s|path+file://$tree/|path+file:///lurd/|" crates/cli/bom.json >"$out/$name.cdx.json"

# The files that go with every archive.
accompany() {
  cp LICENSE-MIT LICENSE-APACHE CHANGELOG.md docs/install.md "$1"
  cp "$out/$name-licences.txt" "$1/licences.txt"
}
# Archives with files in one order, one owner and one time.
pack_tar() {
  tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -C "$1" -cf - "$2" | gzip -9 -n >"$3"
}
pack_zip() {
  python3 - "$@" <<'PYTHON'
import os, pathlib, sys, time, zipfile
base, folder, archive = sys.argv[1:]
when = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
with zipfile.ZipFile(archive, "w") as packed:
    for path in sorted(path for path in pathlib.Path(base, folder).rglob("*") if path.is_file()):
        entry = zipfile.ZipInfo(path.relative_to(base).as_posix(), when)
        entry.external_attr = 0o644 << 16
        packed.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
PYTHON
}

say "archives"
folder=$name-linux-x86_64
mkdir -p "pack/$folder/completions"
cp "$(built "$linux" lurd)" "$(built "$linux" sokoban)" "pack/$folder"
"$(built "$linux" lurd)" man >"pack/$folder/lurd.1"
for shell in bash zsh fish; do "$(built "$linux" lurd)" completions "$shell" >"pack/$folder/completions/lurd.$shell"; done
accompany "pack/$folder"
pack_tar pack "$folder" "$out/$folder.tar.gz"

folder=$name-windows-x86_64
mkdir -p "pack/$folder"
cp "$(built "$windows" lurd.exe)" "$(built "$windows" sokoban.exe)" "pack/$folder"
# Programs that take plug-ins are of 32 bits: theirs has the plain name.
cp "$(built "$windows32" lurd_plugin.dll)" "pack/$folder/lurd.dll"
cp "$(built "$windows" lurd_plugin.dll)" "pack/$folder/lurd64.dll"
# The linker leaves a table of symbols there, and names in it are made up anew each time.
x86_64-w64-mingw32-strip "pack/$folder"/*.exe "pack/$folder/lurd64.dll"
i686-w64-mingw32-strip "pack/$folder/lurd.dll"
"$(built "$linux" lurd)" completions powershell >"pack/$folder/lurd.ps1"
accompany "pack/$folder"
pack_zip pack "$folder" "$out/$folder.zip"

if [ -x site.sh ]; then
  say "the static page"
  # The page is built to be small by itself, and its generator of bindings reads what would be stripped.
  env -u CARGO_PROFILE_RELEASE_STRIP ./site.sh "pack/$name-site"
  pack_zip pack "$name-site" "$out/$name-site.zip"
fi
if [ -d crates/python ]; then
  say "the Python wheel"
  python3 -m venv pack/python
  pack/python/bin/pip install --quiet "$(grep '^maturin==' crates/python/requirements-test.txt)"
  RUSTFLAGS="$remap" pack/python/bin/maturin build --release --locked --quiet --manifest-path crates/python/Cargo.toml --out "$out"
fi

say "no place of this machine is in what others get"
cp "$out"/*.cdx.json "$out"/*.txt pack
if [ -d crates/python ]; then
  mkdir pack/wheel
  python3 -m zipfile -e "$out"/*.whl pack/wheel
fi
if grep -rlF --exclude-dir=python -e "$tree" -e "$home/registry" pack; then stop "these files name where they were made"; fi

say "checksums"
cd "$out"
find . -maxdepth 1 -name 'lurd-*' -printf '%P\n' | sort | xargs sha256sum >SHA256SUMS
cat SHA256SUMS
