import { messageOf } from "../../../cli/errno.ts";
import { snapshot } from "../pack.ts";
import { Teller } from "../teller.ts";
import { serve } from "../worker.ts";

const LINE_MS = 1_000;

let snapshots = 0;
let lines = 0;
let wanted: { lines: number; reached(): void } | undefined;

const handlers = {
  /**
   * Plays a game with so many players, whose figures change, until the process ends: a snapshot as often as the sidecar
   * wants one, a poll held open, and a line of chat each second where `talks`. Settles when the first snapshot is there.
   */
  async start({
    bridge,
    players,
    talks,
  }: {
    bridge: string;
    players: number;
    talks: boolean;
  }): Promise<void> {
    const game = await Teller.connect(bridge);
    const next = (): Promise<unknown> => game.tell(snapshot(players, snapshots++));
    await next();
    setInterval(() => next().catch(fail), game.refreshMs);
    if (talks) setInterval(() => game.say("where is everybody?", 1).catch(fail), LINE_MS);
    game.keepPolling(count).catch(fail);
  },
  /** Snapshots that were told so far. */
  snapshots: (): number => snapshots,
  /** Settles once so many lines of the web have come since this was last asked. */
  async lines(count: number): Promise<void> {
    if (lines < count)
      await new Promise<void>(resolve => {
        wanted = { lines: count, reached: resolve };
      });
    wanted = undefined;
    lines -= count;
  },
};
export type LiveGame = typeof handlers;

/** A game that is played, as far as the sidecar can tell. */
export const playLiveGame = (): void => serve(handlers);

function count(more: number): void {
  lines += more;
  if (wanted !== undefined && lines >= wanted.lines) wanted.reached();
}

function fail(error: unknown): never {
  console.error(messageOf(error));
  process.exit(1);
}
