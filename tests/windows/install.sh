#!/usr/bin/env bash
# Installs what the tests of the Windows build need: compilers, Wine and the Rust targets.
set -euo pipefail

install() { apt-get install -y -qq "$@" >/dev/null 2>&1 || { apt-get update -qq && apt-get install -y -qq "$@" >/dev/null; }; }

# 32-bit Wine is a package of another architecture. Where it cannot be had that architecture is taken away again: it
# would make every later update of the package lists fail.
install_wine32() {
  if [ -x /usr/lib/wine/wine ] || ! command -v dpkg >/dev/null; then return; fi
  if dpkg --print-foreign-architectures | grep -qx i386; then
    install wine32:i386
  else
    dpkg --add-architecture i386
    if ! apt-get update -qq >/dev/null 2>&1 || ! apt-get install -y -qq wine32:i386 >/dev/null 2>&1; then
      dpkg --remove-architecture i386 || true
      apt-get update -qq >/dev/null 2>&1 || true
    fi
  fi
}

# gcc-mingw-w64 would bring each of the two a second time, with the threads of POSIX.
missing=()
if ! command -v x86_64-w64-mingw32-gcc >/dev/null; then missing+=(gcc-mingw-w64-x86-64-win32); fi
if ! command -v i686-w64-mingw32-gcc >/dev/null; then missing+=(gcc-mingw-w64-i686-win32); fi
if ! command -v wine >/dev/null; then missing+=(wine); fi
if [ ${#missing[@]} != 0 ]; then install "${missing[@]}"; fi
install_wine32
rustup target add x86_64-pc-windows-gnu i686-pc-windows-gnu
