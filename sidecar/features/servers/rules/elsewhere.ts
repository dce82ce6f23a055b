/**
 * Whether a player counts as online on another game server than the one at `own`, where `listed` says which of them have the player
 * in their last report. Two that have reported the player at the same moment both do: the first of them keeps the player.
 */
export const isElsewhere = (listed: readonly boolean[], own: number): boolean =>
  listed.some((isListed, i) => isListed && i !== own && !(listed[own] && own < i));
