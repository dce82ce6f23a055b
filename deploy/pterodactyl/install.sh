#!/bin/bash
# Installs the game server and the web bridge for egg.json, which has a copy of this script. A reinstall runs it again: it
# replaces the programs, and keeps worlds, packs, settings, lists, and the data of the web bridge.
set -eu
cd /mnt/server
work=$(mktemp -d ./.install.XXXXXX)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "$*" >&2
  exit 1
}

# Mojang's servers reject the name of a script, and users report failed downloads over HTTP/2.
download() {
  echo "Downloading $2"
  curl --fail --silent --show-error --location --proto-redir =https --http1.1 --retry 3 --connect-timeout 20 \
    --user-agent "Mozilla/5.0 (X11; Linux x86_64)" --output "$1" "$2" || fail "Could not download $2"
}

if [ "${EULA:-}" != TRUE ]; then
  fail "If you accept https://minecraft.net/terms, set the variable EULA to TRUE and reinstall."
fi

if [ "${GAME_VERSION:-latest}" = latest ]; then
  download "$work/links.json" https://net-secondary.web.minecraft-services.net/api/v1.0/download/links
  pattern='https://www\.minecraft\.net/[^"]*/bin-linux/bedrock-server-[0-9.]*\.zip'
  game=$(grep -o "$pattern" "$work/links.json" | head -n 1)
  if [ -z "$game" ]; then
    fail "Mojang's list of downloads has no game server. Set the variable GAME_VERSION to a version, such as 1.26.60.6."
  fi
else
  game=https://www.minecraft.net/bedrockdedicatedserver/bin-linux/bedrock-server-$GAME_VERSION.zip
fi
download "$work/game.zip" "$game"
unzip -tqq "$work/game.zip" || fail "The download is incomplete: $game. Reinstall to try again."

# Files that owners edit. All others of the download are replaced.
set --
for file in server.properties allowlist.json permissions.json config/default/permissions.json packetlimitconfig.json; do
  if [ -e "$file" ]; then set -- "$@" "$file"; fi
done
if [ $# -gt 0 ]; then set -- -x "$@"; fi
unzip -qo "$work/game.zip" "$@"
chmod +x bedrock_server

# Before each start, the panel replaces these lines with the ports of the server, but it adds none.
for key in server-port server-udp-ports; do
  if ! grep -q "^$key=" server.properties; then printf '\n%s=\n' "$key" >>server.properties; fi
done

archive=
if [ -n "${BRIDGE_ARCHIVE_URL:-}" ]; then
  archive=$work/web-bridge.tar.gz
  download "$archive" "$BRIDGE_ARCHIVE_URL"
  if [ -n "${BRIDGE_ARCHIVE_SHA256:-}" ]; then
    echo "$BRIDGE_ARCHIVE_SHA256  $archive" | sha256sum --check --status ||
      fail "The checksum of $BRIDGE_ARCHIVE_URL is not $BRIDGE_ARCHIVE_SHA256"
  fi
else
  # Uploaded by the owner: the newest.
  for file in $(printf '%s\n' web-bridge-sidecar-*-linux-x64.tar.gz | sort -V); do
    if [ -f "$file" ]; then archive=$file; fi
  done
fi
if [ -n "$archive" ]; then
  tar -tzf "$archive" web-bridge/start.sh >"$work/list" || fail "${archive##*/} is not the archive of the web bridge for linux-x64."
  tar -xzf "$archive" --no-same-owner
  # A later reinstall would return to an old version.
  rm -f web-bridge-sidecar-*-linux-x64.tar.gz
fi

if [ -f web-bridge/start.sh ]; then
  echo "Installed. Start the server."
else
  echo "The game server is installed, the web bridge is not. Upload web-bridge-sidecar-<version>-linux-x64.tar.gz next to" \
    "bedrock_server, or set the variable BRIDGE_ARCHIVE_URL, and reinstall."
fi
