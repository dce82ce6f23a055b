/**
 * Every limit that pack and sidecar share. The unit is in the name; a length of text counts UTF-16 code units, as both runtimes do.
 */

/** Requests that the pack may have open at the same time; owners can set this limit in the server's configuration. */
export const MAX_REQUESTS_IN_FLIGHT = 3;

/** Largest body of a request from the pack, in bytes of UTF-8. */
export const MAX_BODY_BYTES = 64 * 1024;

/** Bytes of UTF-8 that facts may take in a body; the rest is for the envelope. */
export const FACTS_BODY_BYTES = 48 * 1024;

/** Facts in one request. */
export const MAX_FACTS = 256;

/** Actions in one answer. */
export const MAX_ACTIONS = 64;

/** Names of actions in a hello. */
export const MAX_KNOWN_ACTIONS = 64;

/** Link requests of one world that may wait for players. */
export const MAX_LINK_REQUESTS = 500;

/** Link requests that may wait for one player. */
export const MAX_FORMS_PER_PLAYER = 8;

/** Players in one part of a snapshot. */
export const PLAYERS_PER_SNAPSHOT_PART = 25;

/** Parts of one snapshot. */
export const MAX_SNAPSHOT_PARTS = 64;

/** Names in one part of the allowlist. */
export const NAMES_PER_FACT = 200;

/** Longest id of an action, a session or a link request. */
export const ID_LENGTH = 64;

/** Longest name of a player, as reported by the game. */
export const NAME_LENGTH = 64;

/** Longest display name in chat, with prefix and suffix. */
export const DISPLAY_NAME_LENGTH = 256;

/** Longest identifier of a player. */
export const PLAYER_ID_LENGTH = 128;

/** Longest name of a world. */
export const WORLD_NAME_LENGTH = 256;

/** Longest name of a game server as players see it, with its title. */
export const SERVER_NAME_LENGTH = 256;

/** Longest name of a site that players sign in to. */
export const SITE_NAME_LENGTH = 64;

/** Longest chat message, in either direction. */
export const CHAT_LENGTH = 2048;

/** Longest label or text of a form. */
export const FORM_TEXT_LENGTH = 1024;

/** Longest name of a language, such as `de_DE`. */
export const LOCALE_LENGTH = 16;

/** Languages, besides the default one. */
export const MAX_LANGUAGES = 64;

/** Texts of one language. */
export const MAX_TEXTS = 64;

/** Values of a text, and the longest of them. */
export const MAX_VALUES = 8;
export const VALUE_LENGTH = 64;

/** Longest reason of a failure or a kick. */
export const REASON_LENGTH = 256;

/** Bans for all servers, and bans of each game server. */
export const MAX_BANS = 10_000;

/** Earlier names of a player that are remembered. */
export const MAX_EARLIER_NAMES = 5;

/** Ban changes in one frame: as many as a pack can apply within a tick. */
export const BANS_PER_FRAME = 25;

/** Longest reason of a ban, in characters. */
export const BAN_REASON_LENGTH = 60;

/** Longest name of a change's author: `game:` and a player, or a key. */
export const AUTHOR_LENGTH = 5 + NAME_LENGTH;

/** Longest lifetime of an action or a link request: 30 days, in milliseconds. */
export const MAX_LIFE_MS = 30 * 24 * 60 * 60 * 1000;

/** How long the sidecar holds a poll open without actions, in seconds. */
export const POLL_HOLD_SECONDS = 20;

/** Timeout of a poll, in seconds after it was sent. */
export const POLL_TIMEOUT_SECONDS = 25;

/** Timeout of any other request, in seconds after it was sent. */
export const REQUEST_TIMEOUT_SECONDS = 5;
