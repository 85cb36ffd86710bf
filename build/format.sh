#!/bin/sh
# Formats every Java source of the tree with google-java-format (fix), or fails naming those that differ (check).
set -eu
cd "$(dirname -- "$0")/.."
jars=target/formatter
[ -r "$jars/google-java-format.jar" ] || { echo "build/format.sh: $jars is empty; run: mvn -q -N -Dformat.skip validate" >&2; exit 2; }
java=$(sh bin/find-jdk.sh)/bin/java
list=target/java-sources.txt
find . -name '*.java' -not -path '*/target/*' -not -path '*/node_modules/*' >"$list"
[ -s "$list" ] || exit 0
opens=
for package in api code file parser tree util; do
  opens="$opens --add-exports=jdk.compiler/com.sun.tools.javac.$package=ALL-UNNAMED"
done
format() { "$java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 $opens -cp "$jars/*" com.google.googlejavaformat.java.Main "$@" "@$list"; }
case "${1:-check}" in
  fix) format --replace ;;
  check)
    if ! format --dry-run --set-exit-if-changed >target/java-unformatted.txt; then
      echo "These sources are not formatted; run: sh build/format.sh fix" >&2
      cat target/java-unformatted.txt >&2
      exit 1
    fi
    ;;
  *) echo "usage: build/format.sh check|fix" >&2; exit 2 ;;
esac
