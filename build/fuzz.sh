#!/bin/sh
# Fuzzes every *FuzzTest of adapters, one after the other, each for the 30 s that it asks for, and says in a line how each went.
# One Maven call does it: every class gets a JVM of its own, since Jazzer fuzzes one target per JVM. Arguments name some of the classes.
set -eu
cd "$(dirname -- "$0")/.."
targets=${*:-$(find adapters/src/test -name '*FuzzTest.java' -exec basename {} .java \; | sort)}
[ -n "$targets" ] || { echo "build/fuzz.sh: there is no *FuzzTest in adapters" >&2; exit 2; }
reports=adapters/target/surefire-reports
log=target/fuzz.log
mkdir -p target
for target in $targets; do rm -f "$reports"/*."$target".txt "$reports"/*."$target-output.txt"; done
failed=0
JAZZER_FUZZ=1 mvn -B -ntp -q -pl adapters -am test -Dformat.skip -DreuseForks=false \
  -Dmaven.test.redirectTestOutputToFile=true -Dsurefire.failIfNoSpecifiedTests=false \
  -Dtest="$(echo $targets | tr ' ' ',')" >"$log" 2>&1 || failed=1
for target in $targets; do
  report=$(find "$reports" -name "*.$target.txt" 2>/dev/null | head -1)
  runs=$(awk -v target="$target" '/files found in .*cifuzz-corpus/ { here = index($0, "." target "/") } here && /^Done [0-9]+ runs/ { print $2 " runs"; exit }' "$log")
  if [ -n "$report" ] && grep -q 'Failures: 0, Errors: 0' "$report"; then
    echo "$target: found nothing in ${runs:-no run}"
  else
    echo "$target: FAILED, see ${report:-$log}"
    failed=1
  fi
done
exit $failed
