/** Lines of the game's console, after time and level, as owners have reported them. `…` stands for what differs. */

/** The error lines of a NetherNet game that is told to use RakNet. */
export const TRANSPORT_ERROR = [
  "================ TRANSPORT TYPE ERROR  ===================",
  "Your current connection type is not set to NetherNet. In this release, NetherNet is the only supported transport type.",
  "Players will not be able to connect to your game without NetherNet.",
  "",
  "To switch, set 'transport=nethernet' in server.properties.",
  "==========================================================",
];

/** What a game says of the port that players come to over NetherNet. */
export const ACCEPTING = "Accepting clients on …";
/** And over RakNet. */
export const GAMEPLAY = ["IPv4 supported, port: …: …", "IPv6 supported, port: …: …"];

/** With `online-mode`, while it looks for Mojang's services, and when it has found none. */
export const WAITING = "Waiting for Minecraft services...";
export const NO_SERVICES =
  "Could not connect to Minecraft services. This is required to accept connections in online mode.";

/** With `allow-list` and without `online-mode`: it goes no further. */
export const UNSAFE_LIST =
  "Using an allowlist without online authentication can be dangerous and is not allowed.";

/** With an empty allowlist that is on. */
export const EMPTY_LIST = [
  "Allow list is enabled but contains no entries.",
  "Use allowlist add <playername> for you and your friends so that they can access the server, or modify allowlist.json manually.",
  "Alternatively, the allow list can be turned off by typing allowlist off or manually toggled in the server.properties file.",
];

/** For each player who comes, is there, and goes. */
export const PLAYERS = [
  "Player connected: …, xuid: …",
  "Player PartyIdUpdate:  pfid: …, partyid: …, isLeader: …",
  "Player Spawned: … xuid: …, pfid: …",
  "Player disconnected: …, xuid: …, pfid: …",
];
