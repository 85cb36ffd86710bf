#!/bin/sh
# Draws docs/images/demo.svg from what the demo prints on a terminal.
set -eu
cd "$(dirname -- "$0")/.."
mkdir -p docs/images target
# The last words come when the demo ends by itself; somebody who watches it sees the lines before.
FALLOW_JAVA_OPTS=-Dfallow.terminal=true bin/fallow demo --for 13 | sed '/^The demo ends/d' >target/demo.txt
"$(sh bin/find-jdk.sh)/bin/java" build/TerminalPicture.java "bin/fallow demo" 132 54 <target/demo.txt >target/demo.svg
mv target/demo.svg docs/images/demo.svg
