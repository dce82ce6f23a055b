#!/bin/sh
# Starts the sidecar with the configuration in this folder, which is created if it is missing.
# To use another Node: NODE=/path/to/node ./start.sh
self=$0
# This file may be called through a symbolic link in another folder.
while [ -h "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=$(dirname "$self")/$link ;;
  esac
done
CDPATH='' cd "$(dirname "$self")" || exit 1

if [ ! -f main.js ]; then
  echo "main.js is missing in $(pwd). Unpack the archive again, over this folder: settings and data stay." >&2
  exit 1
fi
node=${NODE:-}
if [ -z "$node" ]; then
  node=node
  for candidate in node /usr/local/bin/node /usr/bin/node /opt/homebrew/bin/node nodejs; do
    if command -v "$candidate" >/dev/null 2>&1; then
      node=$candidate
      break
    fi
  done
fi
said=$("$node" --version 2>&1)
code=$?
if [ $code = 127 ] && ! command -v "$node" >/dev/null 2>&1; then
  echo "Node is missing. Install Node 22.18 or later from https://nodejs.org and run this again." >&2
  echo "If it is already installed, say where: NODE=/path/to/node ./start.sh" >&2
  exit 1
fi
if [ $code != 0 ]; then
  echo "Node does not start: ${said:-$node ends with code $code}" >&2
  case $said in
    *libatomic*) echo "Install that library (Debian and Ubuntu: apt install libatomic1), or use Node 24, which does not need it." >&2 ;;
    *)
      echo "It has to match this machine ($(uname -sm)), be executable, and not be on a noexec mount." >&2
      echo "To use another Node: NODE=/path/to/node ./start.sh" >&2
      ;;
  esac
  exit 1
fi
# Otherwise glibc keeps free memory for each thread: 3 MB of this program's 72.
MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX:-1}
export MALLOC_ARENA_MAX
exec "$node" main.js --config config.yml "$@"
