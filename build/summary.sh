#!/bin/sh
# Adds up what the test reports of all modules say, in one line at the end.
set -eu
cd "$(dirname -- "$0")/.."
cat ./*/target/surefire-reports/TEST-*.xml 2>/dev/null | grep -o '<testsuite [^>]*' | awk '
  function field(name) { return match($0, " " name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) + 0 : 0 }
  { tests += field("tests"); failed += field("failures") + field("errors"); skipped += field("skipped") }
  END { printf "%d passed, %d failed, %d skipped\n", tests - failed - skipped, failed, skipped; exit failed > 0 || tests == 0 }'
