#!/usr/bin/env bash
# Fetches other projects' definitions of custom kinds from their Go modules and prints the folder that holds them.
#
# crds/modules.txt says which files of which modules; a module whose content has another checksum is refused.
# The folder is kept as that of build.sh is, under a number of its own: a new version here rebuilds no server.
#
# Variables:
#   FALLOW_RIG_CACHE     as in build.sh
#
# Progress goes to standard error; standard output is the folder alone.
set -euo pipefail

home=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${FALLOW_RIG_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/fallow/rig}
list=$home/crds/modules.txt

say() { printf 'rig: %s\n' "$*" >&2; }
fail() {
  say "$@"
  exit 1
}

# Everything that decides what is fetched, in one number.
fingerprint() {
  local sum=(sha256sum)
  command -v sha256sum >/dev/null || sum=(shasum -a 256)
  {
    cat "$list"
    declare -f fetch_into field
  } | "${sum[@]}" | cut -c 1-16
}

require_go() {
  command -v go >/dev/null && return
  PATH=$PATH:/usr/local/go/bin
  command -v go >/dev/null || fail "go is missing; install 1.26 or newer with: apt-get install golang-go"
}

# field NAME: one field of the JSON that go mod download prints.
field() { sed -n 's/^[[:space:]]*"'"$1"'": "\(.*\)",*$/\1/p'; }

fetch_into() {
  local folder=$1 module version wanted file answer sum began=$SECONDS
  while read -r module version wanted file; do
    say "crds: $module $version"
    # Outside of any module, so that only this one is read and none that it depends on.
    answer=$(cd "$scratch" && GOWORK=off go mod download -json "$module@$version") ||
      fail "crds: $(printf '%s' "$answer" | field Error)"
    sum=$(printf '%s' "$answer" | field Sum)
    [ "$sum" = "$wanted" ] || fail "crds: $module $version has the checksum $sum, not $wanted"
    cp "$(printf '%s' "$answer" | field Dir)/$file" "$scratch/files/" ||
      fail "crds: $module $version carries no $file"
  done < <(grep -v '^#' "$list")
  chmod u+w "$scratch"/files/*
  # A whole folder by one rename, unless a second fetcher was faster with an equal one.
  [ -d "$folder" ] || mv "$scratch/files" "$folder"
  say "crds: fetched in $((SECONDS - began)) s"
}

folder="$cache/crds-$(fingerprint)"
if [ ! -d "$folder" ]; then
  require_go
  mkdir -p "$cache"
  # In the cache, not in the system's temporary folder: a rename must not cross file systems.
  scratch=$(mktemp -d "$cache/crds.XXXXXX")
  trap 'rm -rf "$scratch"' EXIT
  trap 'exit 130' INT TERM
  mkdir "$scratch/files"
  fetch_into "$folder"
fi
printf '%s\n' "$folder"
