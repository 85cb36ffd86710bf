#!/bin/sh
# Prints the home of a JDK of at least version 25, without starting a JVM: it reads JAVA_VERSION from the release file.
# Looks at FALLOW_JAVA_HOME, JAVA_HOME, the java on the PATH, then the folders where packages and version managers put JDKs.
feature_of() {
  [ -x "$1/bin/java" ] && [ -r "$1/release" ] || return 1
  while IFS='=' read -r key value; do
    if [ "$key" = JAVA_VERSION ]; then
      value=${value#\"}
      value=${value%%[!0-9]*}
      [ -n "$value" ] && echo "$value"
      return
    fi
  done <"$1/release"
  return 1
}

accept() {
  [ -n "$1" ] || return 1
  feature=$(feature_of "$1") || return 1
  [ "$feature" -ge 25 ] 2>/dev/null || return 1
  printf '%s\n' "$1"
}

here=$(dirname -- "$0")
accept "$here/../runtime" && exit 0
accept "${FALLOW_JAVA_HOME:-}" && exit 0
accept "${JAVA_HOME:-}" && exit 0
on_path=$(command -v java 2>/dev/null) && on_path=$(readlink -f "$on_path" 2>/dev/null) && accept "${on_path%/bin/java}" && exit 0
for home in /usr/lib/jvm/* /opt/java/* /opt/jdk* "$HOME"/.sdkman/candidates/java/* "$HOME"/.local/share/mise/installs/java/* \
  "$HOME"/.jdks/* /Library/Java/JavaVirtualMachines/*/Contents/Home /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
  accept "$home" && exit 0
done
echo "fallow needs a JDK of version 25 or newer and found none." >&2
echo "Install one (for example Temurin 25, or apt install openjdk-25-jdk where your release has it) or point FALLOW_JAVA_HOME at it." >&2
exit 3
