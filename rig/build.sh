#!/usr/bin/env bash
# Builds the programs of the rig once and prints the folder that holds them.
#
#   controlplane   etcd, kube-apiserver, kube-controller-manager, kube-scheduler and kubectl
#   kwok           plays kubelet for nodes that do not exist
#   stages.yaml    KWOK's stock rules of how nodes and pods come to life
#
# Variables:
#   KUBERNETES_VERSION   another Kubernetes than that of controlplane/go.mod, such as 1.35.4
#   FALLOW_RIG_CACHE     where the builds are kept; default: fallow/rig in the user's cache folder
#
# Progress goes to standard error; standard output is the folder alone.
set -euo pipefail

home=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${FALLOW_RIG_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/fallow/rig}

# The order is the one KWOK evaluates them in.
stages=(
  node/fast/node-initialize.yaml
  node/heartbeat-with-lease/node-heartbeat-with-lease.yaml
  pod/fast/pod-ready.yaml
  pod/fast/pod-complete.yaml
  pod/fast/pod-delete.yaml
)

say() { printf 'rig: %s\n' "$*" >&2; }
fail() {
  say "$@"
  exit 1
}

pinned_version=$(sed -n 's/^[[:space:]]*k8s\.io\/kubernetes v//p' "$home/controlplane/go.mod" | head -n 1)
version=${KUBERNETES_VERSION:-$pinned_version}
version=${version#v}

# Everything that decides what is built, in one number: sources, versions, flags and stages.
fingerprint() {
  local sum=(sha256sum)
  command -v sha256sum >/dev/null || sum=(shasum -a 256)
  {
    (cd "$home" && cat controlplane/*.go controlplane/go.mod controlplane/go.sum kwok/go.mod kwok/go.sum)
    printf '%s\n' "$version" "${stages[@]}" "$(uname -sm)"
    declare -f build_into link_flags
  } | "${sum[@]}" | cut -c 1-16
}

require_go() {
  command -v go >/dev/null && return
  PATH=$PATH:/usr/local/go/bin
  command -v go >/dev/null ||
    fail "go is missing; install 1.26 or newer with: apt-get install golang-go" \
      "(where that is older: unpack the archive of go.dev/dl into /usr/local)"
}

have_prometheus() { command -v prometheus >/dev/null && command -v promtool >/dev/null; }

require_prometheus() {
  have_prometheus && return
  command -v apt-get >/dev/null ||
    fail "prometheus and promtool are missing; put both on the PATH (with Homebrew: brew install prometheus)"
  [ "$(id -u)" = 0 ] ||
    fail "prometheus and promtool are missing; install them with: sudo apt-get install --no-install-recommends prometheus"
  say "installing the package prometheus"
  (
    # Debian starts a freshly installed service unless this file says no; only the programs are wanted.
    policy=/usr/sbin/policy-rc.d
    if [ ! -e $policy ]; then
      trap 'rm -f $policy' EXIT
      printf '#!/bin/sh\nexit 101\n' >$policy
      chmod 755 $policy
    fi
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q >&2
    apt-get install -q -y --no-install-recommends prometheus >&2
  ) || say "apt-get did not end well"
  have_prometheus || fail "prometheus and promtool are still missing"
}

# Without these the servers would call themselves v0.0.0-master.
link_flags() {
  local package flags=""
  for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
    flags+=" -X $package.gitVersion=v$version"
    flags+=" -X $package.gitMajor=$(cut -d . -f 1 <<<"$version")"
    flags+=" -X $package.gitMinor=$(cut -d . -f 2 <<<"$version")"
  done
  printf -- '-s -w%s' "$flags"
}

# compile NAME MODULE_FOLDER OUTPUT PACKAGE [FLAG...]: go build, telling every ten seconds how far it is.
compile() {
  local name=$1 folder=$2 output=$3 package=$4
  shift 4
  local log="$scratch/$name.log" total done_so_far began=$SECONDS spoke=$SECONDS
  say "$name: reading modules"
  total=$(cd "$folder" && go list -deps "$package" | wc -l)
  (cd "$folder" && exec go build -v -trimpath "$@" -o "$output" "$package") >"$log" 2>&1 &
  compiler=$!
  while kill -0 "$compiler" 2>/dev/null; do
    sleep 0.2
    if ((SECONDS - spoke >= 10)); then
      spoke=$SECONDS
      done_so_far=$(wc -l <"$log")
      say "$name: $((done_so_far)) of at most $((total)) packages compiled, $((SECONDS - began)) s"
    fi
  done
  if ! wait "$compiler"; then
    tail -n 30 "$log" >&2
    fail "$name: go build failed"
  fi
  compiler=
  say "$name: built in $((SECONDS - began)) s"
}

# Prints the folder of a controlplane module that asks for the wanted Kubernetes version:
# the one in the tree, or a rewritten copy of it.
controlplane_module() {
  if [ "$version" = "$pinned_version" ]; then
    printf '%s' "$home/controlplane"
    return
  fi
  local copy="$scratch/controlplane-source" upstream etcd staging
  mkdir "$copy"
  cp "$home"/controlplane/*.go "$copy"
  say "controlplane: rewriting go.mod for Kubernetes $version"
  upstream=$(cd "$copy" && go mod download -json "k8s.io/kubernetes@v$version" | sed -n 's/^[[:space:]]*"GoMod": "\(.*\)",*$/\1/p')
  [ -n "$upstream" ] || fail "there is no Kubernetes $version"
  etcd=$(sed -n 's/^[[:space:]]*go\.etcd\.io\/etcd\/server\/v3 \(v[^ ]*\).*/\1/p' "$upstream" | head -n 1)
  # Kubernetes replaces its staging modules by folders of its own tree; the same are published as v0.MINOR.PATCH.
  staging=$(sed -n 's/^[[:space:]]*\(k8s\.io\/[a-z0-9-]*\) => \.\/staging\/.*/\1/p' "$upstream")
  {
    printf 'module dev.fallow/rig/controlplane\n\n'
    grep '^go ' "$upstream"
    printf '\nrequire (\n\tgo.etcd.io/etcd/server/v3 %s\n\tk8s.io/kubernetes v%s\n)\n\nreplace (\n' "$etcd" "$version"
    local name
    for name in $staging; do
      printf '\t%s => %s v0.%s\n' "$name" "$name" "${version#*.}"
    done
    printf ')\n'
  } >"$copy/go.mod"
  (cd "$copy" && go mod tidy >"$scratch/tidy.log" 2>&1) || {
    tail -n 20 "$scratch/tidy.log" >&2
    fail "go mod tidy failed for Kubernetes $version"
  }
  printf '%s' "$copy"
}

# Files arrive under their final names by rename, "complete" last: a reader never sees half a file,
# and a second builder at the same time only replaces equals by equals.
build_into() {
  local folder=$1 module kwok_source stage
  module=$(controlplane_module)
  compile controlplane "$module" "$scratch/controlplane" . -ldflags "$(link_flags)"
  compile kwok "$home/kwok" "$scratch/kwok" sigs.k8s.io/kwok/cmd/kwok -ldflags "-s -w"
  kwok_source=$(cd "$home/kwok" && go list -m -f '{{.Dir}}' sigs.k8s.io/kwok)
  for stage in "${stages[@]}"; do
    # Without the separator KWOK silently loads none of them.
    printf -- '---\n'
    cat "$kwok_source/kustomize/stage/$stage"
    printf '\n'
  done >"$scratch/stages.yaml"
  printf '%s\n' "$version" >"$scratch/complete"
  mkdir -p "$folder"
  local file
  for file in controlplane kwok stages.yaml complete; do
    mv -f "$scratch/$file" "$folder/$file"
  done
}

folder="$cache/$(fingerprint)"
require_prometheus
if [ ! -e "$folder/complete" ]; then
  require_go
  mkdir -p "$cache"
  if command -v flock >/dev/null; then
    exec 9>"$cache/lock"
    flock -n 9 || {
      say "waiting for another build"
      flock 9
    }
  fi
  if [ ! -e "$folder/complete" ]; then
    compiler=
    # In the cache, not in the system's temporary folder: a rename must not cross file systems.
    scratch=$(mktemp -d "$cache/build.XXXXXX")
    trap '[ -z "$compiler" ] || kill "$compiler" 2>/dev/null || true; rm -rf "$scratch"' EXIT
    trap 'exit 130' INT TERM
    build_into "$folder"
  fi
fi
printf '%s\n' "$folder"
