/** Invisible start of a form's title that tells the resource pack to draw a chest. */
export const CHEST_FLAG = "§b§r§d§g§e§r";

/** Slots of a chest, in rows of nine. */
export const CHEST_SLOTS = 27;

export const BROWSER_SLOT = 4;
export const ACCEPT_SLOT = 11;
export const DECLINE_SLOT = 15;
