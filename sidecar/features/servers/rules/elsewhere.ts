/**
 * Whether a player counts as online on a game server other than the one at index `own`; `listed`: which servers list the player in
 * their last report. If several do, the first of them keeps the player.
 */
export const isElsewhere = (listed: readonly boolean[], own: number): boolean =>
  listed.some((isListed, i) => isListed && i !== own && !(listed[own] && own < i));
