#!/usr/bin/env bash
# The Windows build under Wine: smoke tests of lurd.exe against the lurd of this machine, then the plug-in in a host program.
#
#   tests/windows/install.sh && tests/windows/run.sh [CALLS]     CALLS in a row for leaks, 100 without it
#
# Needs Wine, gcc of mingw-w64 and the Rust targets x86_64-pc-windows-gnu and i686-pc-windows-gnu: install.sh gets them.
# LURD names the native command to compare with, which is built without it. DOWNLOAD names a folder with the Windows programs as
# ./release.sh packs them: then those are tested, and nothing is built.
# PROFILE is the profile of cargo that is tested (dev). Where Wine runs no 32-bit programs it ends with 3 after the
# 64-bit tests have passed.
set -euo pipefail
calls=${1:-100}
native=${LURD:+$(realpath "$LURD")}
download=${DOWNLOAD:+$(realpath "$DOWNLOAD")}
cd "$(dirname "$0")/../.."
profile=${PROFILE:-dev}
folder=$profile
if [ "$profile" = dev ]; then folder=debug; fi
say() { printf -- '-- %s (%s s)\n' "$1" "$SECONDS"; }
fail() {
  echo "the Windows build: $1" >&2
  exit 1
}

work=$(mktemp -d)
export WINEPREFIX="$work/prefix" WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' DISPLAY=
# Nothing of ours runs on: all of Wine's processes belong to this prefix.
trap 'wineserver -k || true; wineserver -w || true; rm -rf "$work"' EXIT

say "build"
# Nobody debugs these builds.
export CARGO_PROFILE_DEV_DEBUG=0
if [ -z "$native" ]; then
  cargo build --locked --quiet --profile "$profile" --bin lurd
  native=$PWD/target/$folder/lurd
fi
if [ -z "$download" ]; then
  cargo build --locked --quiet --profile "$profile" --target x86_64-pc-windows-gnu -p lurd-cli -p lurd-plugin
  cargo build --locked --quiet --profile "$profile" --target i686-pc-windows-gnu -p lurd-plugin
  cp "target/x86_64-pc-windows-gnu/$folder/lurd.exe" "$work/lurd.exe"
  cp "target/x86_64-pc-windows-gnu/$folder/lurd_plugin.dll" "$work/lurd64.dll"
  cp "target/i686-pc-windows-gnu/$folder/lurd_plugin.dll" "$work/lurd32.dll"
else
  cp "$download/lurd.exe" "$download/lurd64.dll" "$work"
  cp "$download/lurd.dll" "$work/lurd32.dll"
fi
for bits in 64:x86_64 32:i686; do
  "${bits#*:}-w64-mingw32-gcc" -std=gnu11 -O1 -Wall -Wextra -Werror tests/windows/host.c -o "$work/host${bits%:*}.exe" -lpsapi
done

say "wine"
wineboot --init >/dev/null 2>&1
# Dialogs are created although nobody sees them.
wine reg add 'HKCU\Software\Wine\Drivers' /v Graphics /d null /f >/dev/null
wineserver -k
# Wine before 8.13 lacks a library that programs written in Rust need.
for system in system32:x86_64 syswow64:i686; do
  library="$WINEPREFIX/drive_c/windows/${system%:*}/bcryptprimitives.dll"
  if [ -d "$(dirname "$library")" ] && [ ! -e "$library" ]; then
    "${system#*:}-w64-mingw32-gcc" -shared -O1 -Wall -Wextra -Werror tests/windows/bcryptprimitives.c -o "$library" \
      -ladvapi32 -Wl,--kill-at
  fi
done
lurd() { wine "$work/lurd.exe" "$@"; }
# Ends with a code: code WANTED COMMAND...
code() {
  local wanted=$1 got=0
  shift
  "$@" >"$work/out" 2>"$work/err" || got=$?
  [ "$got" = "$wanted" ] || fail "exit code $got instead of $wanted: $* ($(head -c 300 "$work/err"))"
}

say "solve, check, convert, improve, play, serve"
cd "$work"
levels=$OLDPWD/levels/lurd.xsb
# The same levels, answers and counts as on this machine.
counts() { python3 -c 'import json, sys
for line in sys.stdin:
    record = json.loads(line)
    for name in ("seconds", "peak_bytes"): del record[name]
    print(json.dumps(record))'; }
"$native" solve --threads 1 --json | counts >native.json
lurd solve --threads 1 --json | counts >windows.json
cmp native.json windows.json || fail "levels are solved otherwise than on this machine"
printf '#####\n#@$.#\n#####\n\n#####\n#@$ #\n# . #\n#####\n' >two.xsb
code 3 lurd solve two.xsb
code 0 lurd solve two.xsb --level 1 -o solved.sok
code 0 lurd solve two.xsb --level 1 -o solved.sok
code 0 lurd check solved.sok
printf 'L\n' >wrong.txt
code 1 lurd check two.xsb wrong.txt --level 1
code 2 lurd solve missing.xsb
grep -q 'there is no such file' err || fail "a missing file is not told: $(cat err)"
code 2 lurd solve --no-such-switch
for ending in sok slc rle; do
  "$native" convert "$levels" "native.$ending"
  code 0 lurd convert "$levels" "windows.$ending"
  cmp "native.$ending" "windows.$ending" || fail "the format $ending is written otherwise than on this machine"
done
printf '########\n#      #\n#@ $  .#\n# $ .  #\n########\n\nSolution\nurdRurrdLulldRRRulldlldRR\n' >clumsy.xsb
code 0 lurd improve clumsy.xsb --time-limit 10
grep -q '7 pushes, 25 moves -> 5 pushes' out || fail "improve: $(cat out)"
printf 'r\nr\nr\nquit\n' | lurd play --plain --level 1 >out 2>err || fail "play: $(cat err)"
grep -qi 'solved' out || fail "the first level is not solved by three steps: $(cat out)"
lurd serve --no-open --port 0 >serve.txt 2>err &
server=$!
for _ in $(seq 200); do
  if grep -q 'http:' serve.txt; then break; fi
  sleep 0.1
done
address=$(sed -n 's/.*\(http:[^ ]*\).*/\1/p' serve.txt)
[ -n "$address" ] || fail "serve prints no address: $(cat err)"
python3 -c 'import sys, urllib.request
page = urllib.request.urlopen(sys.argv[1], timeout=60).read().decode()
assert "lurd workbench" in page, page[:200]
description = urllib.request.urlopen(sys.argv[1] + "api/v1/openapi.json", timeout=60).read()
assert b"openapi" in description' "$address" || fail "the page is not served"
# The process that Wine started is no child of this script: Wine ends it.
wineserver -k
wait "$server" || true

host() {
  say "the plug-in in a $1-bit host"
  local folder
  folder=$(winepath -w "$work")
  wine "host$1.exe" "$folder\\lurd$1.dll" "$(winepath -w "$levels")" "$calls" || fail "the $1-bit plug-in"
}
host 64
if ! printf 'int main(void) { return 7; }\n' | i686-w64-mingw32-gcc -x c - -o seven.exe; then fail "no 32-bit compiler"; fi
seven=0
wine seven.exe >/dev/null 2>&1 || seven=$?
if [ "$seven" != 7 ]; then
  printf '\n!! NOT TESTED: the 32-bit plug-in. Wine runs no 32-bit programs here: tests/windows/install.sh could not get wine32.\n' >&2
  exit 3
fi
host 32
say "done"
