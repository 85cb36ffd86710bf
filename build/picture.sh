#!/bin/sh
# Takes docs/images/dashboard.png of the page that the demo serves, once its week of history is written.
set -eu
cd "$(dirname -- "$0")/.."
mkdir -p docs/images target
port=18080
bin/fallow demo --port "$port" --for 90 >target/demo.txt &
demo=$!
trap 'kill "$demo" 2>/dev/null || true' EXIT
sleep 40
(cd dashboard && node browser/readme.js "http://127.0.0.1:$port/" ../target/dashboard.png)
mv target/dashboard.png docs/images/dashboard.png
