#!/bin/sh
# Starts the sidecar with the configuration in this folder, which is made when it is missing.
# Another Node than the usual one: NODE=/path/to/node ./start.sh
cd "$(dirname "$0")" || exit 1

node=${NODE:-}
if [ -z "$node" ]; then
  for candidate in node /usr/local/bin/node /usr/bin/node /opt/homebrew/bin/node nodejs; do
    if command -v "$candidate" >/dev/null 2>&1; then
      node=$candidate
      break
    fi
  done
fi
if [ -z "$node" ] || ! command -v "$node" >/dev/null 2>&1; then
  echo "Node is missing. Install Node 20.19 or later from https://nodejs.org and run this again." >&2
  echo "Is it installed already? Say where: NODE=/path/to/node ./start.sh" >&2
  exit 1
fi
if ! "$node" -e 'var v = process.versions.node.split("."); process.exit(v[0] > 20 || (v[0] == 20 && v[1] >= 19) ? 0 : 1)'; then
  echo "Node 20.19 or later is needed, and $node is $("$node" --version). Get it from https://nodejs.org" >&2
  exit 1
fi
# glibc keeps free memory for each thread that ever asked for some: 3 MB of this program's 72.
MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX:-1}
export MALLOC_ARENA_MAX
exec "$node" main.js --config config.yml "$@"
