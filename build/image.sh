#!/bin/sh
# Builds the image that the manifests in deploy/ name, by docker or podman, whichever is there and answers.
set -eu
cd "$(dirname -- "$0")/.."
image=${IMAGE:-fallow:0.1.0}
for builder in docker podman; do
  if command -v "$builder" >/dev/null && "$builder" info >/dev/null 2>&1; then
    exec "$builder" build -f Containerfile -t "$image" .
  fi
done
echo "make image: neither docker nor podman answers on this machine; install one of them, or start its service" >&2
exit 1
