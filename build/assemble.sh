#!/bin/sh
# Lays the built jars out as a release has them, app/target/fallow, and trains the cache that makes the start fast.
# The cache carries the hash of the jars in its name: the JVM does not notice when jars change under it, and would run the old code.
set -eu
cd "$(dirname -- "$0")/.."
out=app/target/fallow
id=$(cat app/target/fallow-app-*-SNAPSHOT.jar app/target/lib/*.jar build/Retarget.java | cksum | tr -d ' ')
if [ -r "$out/lib/build-id" ] && [ "$(cat "$out/lib/build-id")" = "$id" ] && [ -r "$out/lib/fallow-$id.aot" ]; then
  exit 0
fi
rm -rf "$out"
mkdir -p "$out/bin" "$out/lib"
cp bin/fallow bin/gpu-pruner bin/find-jdk.sh bin/memory-limit.sh "$out/bin/"
cp app/target/lib/*.jar "$out/lib/"
# picocli's classes are too old for the cache, so each start would read and verify them anew.
picocli=$(ls "$out"/lib/picocli-*.jar)
"$(sh bin/find-jdk.sh)/bin/java" -cp "$picocli" build/Retarget.java "$picocli"
cp app/target/fallow-app-*-SNAPSHOT.jar "$out/lib/fallow.jar"
echo "$id" >"$out/lib/build-id"
sh build/train.sh "$out/lib" "$id"
