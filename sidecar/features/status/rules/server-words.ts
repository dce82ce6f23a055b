/** Players on a game server, for short texts. */
export interface PlayerCount {
  /** online players; undefined: no game server reports */
  players: number | undefined;
  /** player limit; 0: unknown */
  most: number;
}

const amount = (players: number, most: number): string =>
  most > 0 ? `${players} of ${most} players` : `${players} player${players === 1 ? "" : "s"}`;

/** For a title: `3 of 20 players online`. */
export const inShort = ({ players, most }: PlayerCount): string =>
  players === undefined ? "offline" : `${amount(players, most)} online`;

/** For a description: `3 of 20 players are online.` */
export const inASentence = ({ players, most }: PlayerCount): string =>
  players === undefined
    ? "The game server is offline."
    : `${amount(players, most)} ${players === 1 ? "is" : "are"} online.`;

/** For a badge: `3/20 online`. */
export const onABadge = ({ players, most }: PlayerCount): string =>
  players === undefined ? "offline" : `${players}${most > 0 ? `/${most}` : ""} online`;
