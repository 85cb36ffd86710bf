#!/bin/sh
# Prints how many MiB of memory the kernel lets this process and its kin have, or nothing if it sets no limit.
# A cgroup's limit binds all below it, so each folder on the way up is asked. In a container the topmost one that can be seen is its own.
# For tests: memory-limit.sh FILE FOLDER reads these in the place of /proc/self/cgroup and /sys/fs/cgroup.
groups=${1:-/proc/self/cgroup}
mount=${2:-/sys/fs/cgroup}
[ -r "$groups" ] || exit 0
least=
while IFS=: read -r _ controllers path; do
  case ",$controllers," in
    *,memory,*) folder=$mount/memory file=memory.limit_in_bytes ;;
    ,,) folder=$mount file=memory.max ;;
    *) continue ;;
  esac
  while :; do
    path=${path%/}
    if [ -r "$folder$path/$file" ]; then
      read -r bytes <"$folder$path/$file"
      case $bytes in
        '' | *[!0-9]*) ;; # the word max
        *)
          mebibytes=$((bytes / 1048576))
          if [ -z "$least" ] || [ "$mebibytes" -lt "$least" ]; then
            least=$mebibytes
          fi
          ;;
      esac
    fi
    [ -n "$path" ] || break
    path=${path%/*}
  done
done <"$groups"
# The old kernel interface writes "none" as a number that no machine has.
if [ -n "$least" ] && [ "$least" -lt 1073741824 ]; then
  echo "$least"
fi
