#!/bin/sh
# The first process of the image: game server and sidecar if the folder of a game server is mounted at /game, otherwise the
# sidecar alone.
if [ ! -e /game ]; then
  # Otherwise glibc keeps free memory for each thread: 3 MB of the sidecar's 72. The game does not get this variable.
  export MALLOC_ARENA_MAX=1
  exec node /app/main.js "$@"
fi
for path in /game /game/worlds /game/worlds/* /game/worlds/*/*; do
  if [ -e "$path" ] && [ ! -w "$path" ]; then
    user=$(id -u):$(id -g)
    echo "User $user of this container can't write $path, so the game couldn't save its world." >&2
    echo "On the host, for the folder that is mounted at /game: sudo chown -R $user <folder>. It must not be mounted read-only." >&2
    exit 2
  fi
done
exec node /app/dist/tools/launch.js --server /game "$@"
