import { NO_SERVICES } from "../bds/console-lines.ts";
import { lastLines, type ReadConsole } from "./console.ts";
import { type GameProcess, within } from "./game-process.ts";

/** How long a start may take before it is given up, in milliseconds: that of a slow machine with a new world. */
const START_MS = 180_000;
/** How long after one of both lines the other one may come. */
const OTHER_MS = 8_000;

const STARTED = /^Server started\.$/;
/** With NetherNet, and with RakNet. */
const LISTENS = /^(Accepting clients on |IPv[46] supported, port: )/;

/** What a server has said of itself when it was ready. */
export interface Ready {
  /** from its start on, in milliseconds */
  ms: number;
  /** the line that names the port where players come; undefined: there was none */
  listens: string | undefined;
  /** whether it has said that it has started */
  isSaid: boolean;
}

/** A game server that is not there. The message names no machine, folder or address. */
export class NotThere extends Error {
  override readonly name = "NotThere";
  /** last lines of its console */
  readonly last: readonly string[];

  constructor(message: string, last: readonly string[]) {
    super(message);
    this.last = last;
  }
}

/**
 * Waits until a game server is ready: until it has said that it has started, and where players come. It may say one of both in
 * other words.
 * @param since place of the first line of this start
 * @throws NotThere
 */
export async function untilReady(
  console: ReadConsole,
  game: GameProcess,
  since: number,
  now: () => number,
): Promise<Ready> {
  const begun = now();
  const ended = game.ended.then(() => undefined);
  const said = (pattern: RegExp, ms: number): Promise<string | undefined> =>
    Promise.race([console.line(pattern, ms, since), ended]);
  const first = await Promise.race([said(STARTED, START_MS), said(LISTENS, START_MS)]);
  const ms = now() - begun;
  const [started, listens] = await Promise.all([
    said(STARTED, WITH_SERVICES.test(console.lines.join("\n")) ? START_MS : OTHER_MS),
    said(LISTENS, OTHER_MS),
  ]);
  if (game.end !== undefined) throw endedFault(game, console);
  if (first === undefined) {
    const silent = console.lines.length === since ? ", and has not written a line" : "";
    throw new NotThere(`it was not ready after ${START_MS / 1000} s${silent}`, lastLines(console));
  }
  return { ms, listens, isSaid: started !== undefined };
}

/** Before it has started, a server with online-mode looks for these for about a minute. */
const WITH_SERVICES = /^Waiting for Minecraft services/m;

/** How a game server has ended that nobody has stopped. */
export function endedFault(game: Pick<GameProcess, "end">, console: ReadConsole): NotThere {
  const { code = null, signal = null, afterMs = 0 } = game.end ?? {};
  const after = `${Math.round(afterMs / 1000)} s`;
  const isOffline = console.lines.slice(-20).includes(NO_SERVICES);
  const what = isOffline
    ? `it stopped by itself after ${after}, as it could not reach Minecraft's services: "${NO_SERVICES}"`
    : `it ended by itself after ${after} (${signal ?? `exit code ${code ?? "unknown"}`})`;
  return new NotThere(what, lastLines(console));
}

/** Whether something comes true in time. `ask` is called again and again, and may throw nothing. */
export async function until(ask: () => Promise<boolean>, ms: number, now: () => number): Promise<boolean> {
  for (const end = now() + ms; ; ) {
    if (await ask()) return true;
    if (now() >= end) return false;
    await within(new Promise<never>(() => undefined), AGAIN_MS);
  }
}

const AGAIN_MS = 300;
