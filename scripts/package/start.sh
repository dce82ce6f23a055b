#!/bin/sh
# Starts the sidecar; with --server <folder> also the game server in that folder. Its configuration is config.yml in this
# folder, which is created if it is missing. To use another Node: NODE=/path/to/node ./start.sh
here=$(dirname -- "$(readlink -f -- "$0")")
exec sh "$here/web-bridge" start "$@"
