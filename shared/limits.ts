/**
 * Every number that pack and sidecar must agree on. The unit is in the name; a length of text is counted in
 * UTF-16 code units, as both runtimes count it.
 */

/** Requests that the pack may have open at once; an owner may set the same limit in the server's configuration. */
export const MAX_REQUESTS_IN_FLIGHT = 3;

/** Largest body of a request from the pack, in bytes of UTF-8. */
export const MAX_BODY_BYTES = 64 * 1024;

/** How full the pack fills a body with facts, in bytes of UTF-8; the rest is room for the envelope. */
export const FACTS_BODY_BYTES = 48 * 1024;

/** Largest number of facts in one request. */
export const MAX_FACTS = 256;

/** Largest number of actions in one answer. */
export const MAX_ACTIONS = 64;

/** Most names of actions in a hello. */
export const MAX_KNOWN_ACTIONS = 64;

/** Link requests of one world that may wait for players at once. */
export const MAX_LINK_REQUESTS = 500;

/** Link requests that may wait for one player at once. */
export const MAX_FORMS_PER_PLAYER = 8;

/** Players in one part of a snapshot. */
export const PLAYERS_PER_SNAPSHOT_PART = 25;

/** Parts of one snapshot. */
export const MAX_SNAPSHOT_PARTS = 64;

/** Names in one part of the allowlist. */
export const NAMES_PER_FACT = 200;

/** Longest id of an action, a session or a link request. */
export const ID_LENGTH = 64;

/** Longest name of a player, as the game reports it. */
export const NAME_LENGTH = 64;

/** Longest name as displayed in chat, prefix and suffix included. */
export const DISPLAY_NAME_LENGTH = 256;

/** Longest identifier of a player. */
export const PLAYER_ID_LENGTH = 128;

/** Longest name of a world. */
export const WORLD_NAME_LENGTH = 256;

/** Longest name of a game server as players see it, with its title. */
export const SERVER_NAME_LENGTH = 256;

/** Longest name of another site that asks who a player is. */
export const SITE_NAME_LENGTH = 64;

/** Longest line of chat, in either direction. */
export const CHAT_LENGTH = 2048;

/** Longest label or text of a form. */
export const FORM_TEXT_LENGTH = 1024;

/** Longest name of a language, such as `de_DE`. */
export const LOCALE_LENGTH = 16;

/** Languages of texts, besides the default one. */
export const MAX_LANGUAGES = 64;

/** Texts of one language. */
export const MAX_TEXTS = 64;

/** Values that a text may have, and the longest of them. */
export const MAX_VALUES = 8;
export const VALUE_LENGTH = 64;

/** Longest reason of a failure or a kick. */
export const REASON_LENGTH = 256;

/** Bans that a list may have for all servers, and more that each game server may have of its own. */
export const MAX_BANS = 10_000;

/** Earlier names that are remembered of a player. */
export const MAX_EARLIER_NAMES = 5;

/** Changes of bans in one frame: as many as a pack can apply within a tick. */
export const BANS_PER_FRAME = 25;

/** Longest reason of a ban, in characters. */
export const BAN_REASON_LENGTH = 60;

/** Longest name of the author of a decision: `game:` and a player, or a key. */
export const AUTHOR_LENGTH = 5 + NAME_LENGTH;

/** Longest life of an action or a link request: thirty days, in milliseconds. */
export const MAX_LIFE_MS = 30 * 24 * 60 * 60 * 1000;

/** How long the sidecar holds a poll open when there is nothing to do, in seconds. */
export const POLL_HOLD_SECONDS = 20;

/** When the pack gives up a poll, in seconds after it was sent. */
export const POLL_TIMEOUT_SECONDS = 25;

/** When the pack gives up any other request, in seconds after it was sent. */
export const REQUEST_TIMEOUT_SECONDS = 5;
