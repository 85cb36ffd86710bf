#!/bin/sh
# Builds the dashboard into dashboard/dist, or with `test` runs its unit tests. What was done for these very sources
# before is not done again: npm and the build take half a minute, reading the sources' checksum a few milliseconds.
set -eu
cd "$(dirname -- "$0")/../dashboard"
marks=node_modules/.fallow

packages=$(cat package.json package-lock.json .npmrc | cksum)
sources=$(find . \( -path ./node_modules -o -path ./dist -o -path ./pictures \) -prune -o -type f -exec cksum {} + | LC_ALL=C sort | cksum)

done_for() {
  [ -r "$marks/$1" ] && [ "$(cat "$marks/$1")" = "$2" ]
}

quietly() {
  "$@" >node_modules/.fallow/log 2>&1 || { cat node_modules/.fallow/log >&2; exit 1; }
}

if ! done_for packages "$packages"; then
  echo "fetching the dashboard's packages …" >&2
  npm ci --no-audit --no-fund --loglevel=error >&2
  mkdir -p "$marks"
  echo "$packages" >"$marks/packages"
fi
case "${1:-build}" in
  build)
    if ! done_for built "$sources" || [ ! -r dist/index.html ]; then
      quietly npm run build
      echo "$sources" >"$marks/built"
    fi ;;
  test)
    if ! done_for tested "$sources"; then
      quietly npm test
      echo "$sources" >"$marks/tested"
    fi ;;
  *) echo "build/dashboard.sh: unknown word $1" >&2; exit 2 ;;
esac
