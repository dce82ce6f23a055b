/** Beginning of a form's title by which the resource pack knows that it is to draw a chest. It is invisible. */
export const CHEST_FLAG = "§b§r§d§g§e§r";

/** Slots of a chest, in rows of nine. */
export const CHEST_SLOTS = 27;

export const BROWSER_SLOT = 4;
export const ACCEPT_SLOT = 11;
export const DECLINE_SLOT = 15;
