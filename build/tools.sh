#!/bin/sh
# Makes sure that the named tools are there: installs them where that is possible (apt, as root), else names the command that does.
set -eu
cd "$(dirname -- "$0")/.."

install() {
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing $1 …" >&2
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1"; } >/dev/null
  else
    echo "$2 is missing; install it with: sudo apt-get install $1" >&2
    exit 1
  fi
}

# The dashboard's build needs 20.19 or newer.
node_is_new() {
  command -v node >/dev/null && node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'
}

for tool in "$@"; do
  case "$tool" in
    java) sh bin/find-jdk.sh >/dev/null || { install openjdk-25-jdk "A JDK of version 25" && sh bin/find-jdk.sh >/dev/null; } ;;
    maven) command -v mvn >/dev/null || install maven Maven ;;
    go) command -v go >/dev/null || [ -x /usr/local/go/bin/go ] || install golang-go "Go (1.26 or newer)" ;;
    prometheus) command -v prometheus >/dev/null && command -v promtool >/dev/null || install prometheus Prometheus ;;
    faketime) ls /usr/lib/*/faketime/libfaketime.so.1 >/dev/null 2>&1 || install faketime libfaketime ;;
    postgres) ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || install postgresql PostgreSQL ;;
    chromium) command -v chromium >/dev/null || install chromium Chromium ;;
    node)
      node_is_new || { install nodejs "Node.js (20.19 or newer)" && node_is_new; } || {
        echo "Node.js 20.19 or newer is needed, and the system's package is older; nodejs.org/en/download has one" >&2
        exit 1
      }
      command -v npm >/dev/null || install npm npm ;;
    *) echo "build/tools.sh: unknown tool $tool" >&2; exit 2 ;;
  esac
done
