/** Lines of the game's console, after time and level, as server owners have reported them. `…` stands for variable parts. */

/** The error lines of a NetherNet game that is configured to use RakNet. */
export const TRANSPORT_ERROR = [
  "================ TRANSPORT TYPE ERROR  ===================",
  "Your current connection type is not set to NetherNet. In this release, NetherNet is the only supported transport type.",
  "Players will not be able to connect to your game without NetherNet.",
  "",
  "To switch, set 'transport=nethernet' in server.properties.",
  "==========================================================",
];

/** Lines about the ports for players over NetherNet. */
export const ACCEPTING = "Accepting clients on …";
/** Lines about the ports for players over RakNet. */
export const GAMEPLAY = ["IPv4 supported, port: …: …", "IPv6 supported, port: …: …"];

/** With `online-mode`, while it connects to Mojang's services, and after it failed. */
export const WAITING = "Waiting for Minecraft services...";
export const NO_SERVICES =
  "Could not connect to Minecraft services. This is required to accept connections in online mode.";

/** With `allow-list` and without `online-mode`; the server does not start. */
export const UNSAFE_LIST =
  "Using an allowlist without online authentication can be dangerous and is not allowed.";

/** With an empty allowlist that is enabled. */
export const EMPTY_LIST = [
  "Allow list is enabled but contains no entries.",
  "Use allowlist add <playername> for you and your friends so that they can access the server, or modify allowlist.json manually.",
  "Alternatively, the allow list can be turned off by typing allowlist off or manually toggled in the server.properties file.",
];

/** For each player who connects, spawns and disconnects. */
export const PLAYERS = [
  "Player connected: …, xuid: …",
  "Player PartyIdUpdate:  pfid: …, partyid: …, isLeader: …",
  "Player Spawned: … xuid: …, pfid: …",
  "Player disconnected: …, xuid: …, pfid: …",
];
