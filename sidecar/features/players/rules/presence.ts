import { bool, type Infer, list, object, text } from "../../../../shared/guard.ts";
import { ID_LENGTH, PLAYER_ID_LENGTH } from "../../../../shared/limits.ts";
import { type FeedEvent, type FeedPlayer, feedPlayer } from "../../../../shared/public/events.ts";

/** A player who is online according to the feed, with the game's own id. */
const presentPlayer = object({ id: text(PLAYER_ID_LENGTH, 1), ...feedPlayer.properties });
export type PresentPlayer = Infer<typeof presentPlayer>;

/** The presence on a game server as reported in the feed so far. */
export const presence = object({
  /** run of the pack; empty before the first */
  run: text(ID_LENGTH),
  isOnline: bool,
  /** without hidden players */
  players: list(presentPlayer, 10_000),
});
export type Presence = Infer<typeof presence>;

export const NEVER_ONLINE: Presence = { run: "", isOnline: false, players: [] };

export interface PresenceStep {
  presence: Presence;
  events: FeedEvent[];
}

const named = ({ name, uuid }: PresentPlayer): FeedPlayer => ({ name, uuid });
const join = (player: PresentPlayer, at: number): FeedEvent => ({ event: "join", at, player: named(player) });
const leave = (player: PresentPlayer, at: number): FeedEvent => ({
  event: "leave",
  at,
  player: named(player),
});

const unchanged = (presence: Presence): PresenceStep => ({ presence, events: [] });

/** The game has stopped reporting: all players have left. */
export function markSilent(presence: Presence, at: number): PresenceStep {
  if (!presence.isOnline) return unchanged(presence);
  return {
    presence: { ...presence, isOnline: false, players: [] },
    events: [{ event: "server", at, state: "away" }, ...presence.players.map(player => leave(player, at))],
  };
}

/** A run of the pack connects: all players of another run have left. */
export function beginRun(presence: Presence, run: string, at: number): PresenceStep {
  if (presence.run === run) return unchanged(presence);
  const ended = markSilent(presence, at);
  return { ...ended, presence: { ...ended.presence, run } };
}

/** The game lists all online players. Reports of an earlier run are ignored. */
export function updatePlayers(
  presence: Presence,
  run: string,
  players: readonly PresentPlayer[],
  at: number,
): PresenceStep {
  if (presence.run !== run) return unchanged(presence);
  const before = new Map(presence.players.map(player => [player.id, player]));
  const now = new Map(players.map(player => [player.id, player]));
  const events: FeedEvent[] = [
    ...(presence.isOnline ? [] : [{ event: "server" as const, at, state: "online" as const }]),
    ...presence.players.filter(({ id }) => !now.has(id)).map(player => leave(player, at)),
    ...players.filter(({ id }) => !before.has(id)).map(player => join(player, at)),
  ];
  return events.length === 0
    ? unchanged(presence)
    : { presence: { run, isOnline: true, players: [...players] }, events };
}

/** A player has joined; ignored before the first list of a run. */
export function addPlayer(presence: Presence, run: string, player: PresentPlayer, at: number): PresenceStep {
  if (!presence.isOnline) return unchanged(presence);
  const others = presence.players.filter(({ id }) => id !== player.id);
  return updatePlayers(presence, run, [...others, player], at);
}

export function removePlayer(presence: Presence, run: string, id: string, at: number): PresenceStep {
  if (!presence.isOnline) return unchanged(presence);
  return updatePlayers(
    presence,
    run,
    presence.players.filter(player => player.id !== id),
    at,
  );
}
