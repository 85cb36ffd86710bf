#!/bin/sh
# Measures the figures of docs/figures.md and prints them: bench.sh [growth|parser|evidence|start|list|prune|daemon|web|autoscale|soak]..., all but soak by default.
set -eu
cd "$(dirname -- "$0")/.."
mvn -B -ntp -q -Pbench -pl bench -am package -DskipTests >&2
sh build/assemble.sh >&2
java=$(sh bin/find-jdk.sh)/bin/java
# As the launcher runs the program: the figures of a one-shot command are those of its first compiler.
launcher="-XX:+UseSerialGC -XX:+UseCompactObjectHeaders -XX:TieredStopAtLevel=1"
run() { "$java" --enable-native-access=ALL-UNNAMED "$@"; }
jars="bench/target/classes:bench/target/lib/*"

for part in ${*:-start parser evidence growth list prune web autoscale daemon}; do
  case "$part" in
    start) run -cp "$jars" dev.fallow.bench.StartFigures ;;
    # shellcheck disable=SC2086 # the options are words
    parser)
      for jvm in "$launcher" "-XX:+UseSerialGC -XX:+UseCompactObjectHeaders"; do
        run -cp "$jars" org.openjdk.jmh.Main ParserBenchmark -jvmArgs "$jvm -Xmx192m" -rff bench/target/parser.csv -rf csv >bench/target/parser.log 2>&1
        awk -F, -v jvm="$jvm" '{ gsub(/"/, "", $1); sub(/.*[.]/, "", $1); value[$1] = $5 }
          END {
            parse = value["parse:megabytes"] / value["parse:cpuSeconds"]
            tokens = value["tokens:megabytes"] / value["tokens:cpuSeconds"]
            printf "parser, %s: %.0f MB a processor second, %.2f of a bare walk over the tokens\n", jvm, parse, parse / tokens
          }' bench/target/parser.csv
      done
      ;;
    # shellcheck disable=SC2086
    evidence) run $launcher -Xmx4g -cp "$jars" dev.fallow.bench.EvidenceFigures ;;
    growth) run -XX:+UseSerialGC -XX:+UseCompactObjectHeaders -Xms6g -Xmx6g -cp "$jars" dev.fallow.bench.GrowthFigures ;;
    list) run -XX:+UseSerialGC -Xmx1g -cp "$jars" dev.fallow.bench.ListFigures 1000 10000 ;;
    prune) run -XX:+UseSerialGC -Xmx1g -cp "$jars" dev.fallow.bench.PruneFigures 10000 ;;
    daemon) run -XX:+UseSerialGC -Xmx1g -cp "$jars" dev.fallow.bench.DaemonFigures "${DAEMON_INTERVAL:-180}" 2 1000 10000 ;;
    # shellcheck disable=SC2086
    web) run $launcher -Xmx1g -cp "$jars" dev.fallow.bench.WebFigures 500 4000 1 8 ;;
    autoscale) run -XX:+UseSerialGC -Xmx1g -cp "$jars" dev.fallow.bench.AutoscaleFigures 10 100 500 1500 - 10 100 500 ;;
    soak) run -XX:+UseSerialGC -Xmx1g -cp "$jars" dev.fallow.bench.Soak "${SOAK_MINUTES:-30}" ;;
    *) echo "usage: build/bench.sh [growth|parser|evidence|start|list|prune|daemon|web|autoscale|soak]..." >&2; exit 2 ;;
  esac
done
