#!/bin/sh
# Records which classes the short commands load and keeps them linked in an AOT cache beside the jars.
set -eu
lib=$1
id=$2
here=$(dirname -- "$0")
java=$(sh "$here/../bin/find-jdk.sh")/bin/java
"$java" -XX:+UseSerialGC -XX:+UseCompactObjectHeaders -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED \
  -Xmx192m -XX:AOTCacheOutput="$lib/fallow-$id.aot" -Xlog:aot=off -Xlog:cds=off \
  -cp "$lib/fallow.jar" dev.fallow.app.Training "$here/../build/training-case" >/dev/null 2>"$lib/training.log" || {
  echo "build/train.sh: no start-up cache was made; fallow works without, and starts more slowly:" >&2
  tail -5 "$lib/training.log" >&2
  rm -f "$lib/fallow-$id.aot"
}
rm -f "$lib/training.log"
