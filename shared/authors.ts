/** Before the name of a player or operator who decided something in the game. */
export const IN_GAME = "game:";
/** Before the name of a player who moderates on the website by the link of a browser. */
export const BY_LINK = "player:";
