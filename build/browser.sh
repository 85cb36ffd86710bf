#!/bin/sh
# The page in Chromium: first against a stand-in for the server (10 000 rows, hostile text, lost lines, every way to
# sign in, axe), then the demo, served for real and clicked through. PICTURES=folder keeps what it saw of the demo.
set -eu
cd "$(dirname -- "$0")/.."
mkdir -p target
(cd dashboard && node browser/check.js)
bin/fallow demo --port 0 --for 600 >target/browser-demo.txt &
demo=$!
trap 'kill "$demo" 2>/dev/null || true' EXIT
address=
tries=0
while [ -z "$address" ]; do
  tries=$((tries + 1))
  [ "$tries" -le 60 ] || { echo "the demo does not say where it is" >&2; exit 1; }
  sleep 1
  address=$(sed -n 's/^The dashboard: .*\(http:[^ ]*\/\).*/\1/p' target/browser-demo.txt)
done
cd dashboard
node browser/demo.js "$address" ${PICTURES:+"$PICTURES"}
