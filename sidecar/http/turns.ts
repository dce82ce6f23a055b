/** How long such work takes in one turn of the event loop, in milliseconds. */
const WORK_MS = 1;

/** Pieces of it in one turn, however quick they are. */
const MOST_PIECES = 16;

/** A turn that took longer than this, in milliseconds, with all that pieces have led to: there are half as many in the next. */
const LONG_TURN_MS = 4;

/** Of one address, those that are at work at once: the others wait until one of them is done. */
const MOST_AT_WORK = 8;

/** How long something else may come first, in milliseconds, before it goes on all the same. */
const MOST_HELD_MS = 100;

/** The clients of one address. */
interface Line<T> {
  waiting: Set<T>;
  /** those that have begun */
  atWork: Set<T>;
  /** those of them that can do their next piece, in turn */
  ready: Set<T>;
}

/**
 * Work of many clients, done piece by piece over turns of the event loop: about a millisecond of it in each, by turns for each
 * address, so that whoever comes with a crowd waits for the crowd and nobody else does.
 * @param deps.now the monotonic time in milliseconds
 * @param deps.piece does the next piece of a client, which calls `goOn` or `end` then
 * @param deps.failed is told what a piece has thrown; the client has ended by that
 */
export function createTurns<T extends { address: string }>(deps: {
  now(): number;
  piece(client: T): void;
  failed(client: T, error: unknown): void;
}) {
  const { now } = deps;
  const lines = new Map<string, Line<T>>();
  /** the addresses of which somebody can do a piece, in turn */
  const due = new Set<string>();
  let isComing = false;
  let isHeld = false;
  /** since when something else has come first in each turn */
  let heldSince: number | undefined;
  /** when work was done last, if some was left for the next turn */
  let goingOnSince: number | undefined;
  let most = MOST_PIECES;

  const canBegin = ({ atWork, waiting }: Line<T>): boolean => waiting.size > 0 && atWork.size < MOST_AT_WORK;

  function come(): void {
    if (!isComing && due.size > 0) {
      isComing = true;
      setImmediate(work);
    }
  }

  function queue(address: string, line: Line<T>): void {
    if (line.ready.size === 0 && !canBegin(line)) return;
    due.add(address);
    come();
  }

  /** Somebody of the address whose turn it is, which then is the last in line. */
  function next(): T | undefined {
    const [address] = due;
    const line = address === undefined ? undefined : lines.get(address);
    if (address === undefined || line === undefined) return undefined;
    due.delete(address);
    if (canBegin(line)) {
      const [first] = line.waiting;
      if (first !== undefined) {
        line.waiting.delete(first);
        line.atWork.add(first);
        line.ready.add(first);
      }
    }
    const [client] = line.ready;
    if (client !== undefined) line.ready.delete(client);
    queue(address, line);
    return client;
  }

  function piece(client: T): void {
    try {
      deps.piece(client);
    } catch (error) {
      end(client);
      deps.failed(client, error);
    }
  }

  function isLater(begun: number): boolean {
    if (!isHeld) heldSince = undefined;
    else heldSince ??= begun;
    isHeld = false;
    if (heldSince === undefined || begun - heldSince < MOST_HELD_MS) return heldSince !== undefined;
    heldSince = undefined;
    return false;
  }

  function work(): void {
    isComing = false;
    const begun = now();
    if (isLater(begun)) {
      goingOnSince = undefined;
      come();
      return;
    }
    // What a piece leads to is mostly done behind it, by the end of the turn.
    if (goingOnSince === undefined) most = MOST_PIECES;
    else most = begun - goingOnSince > LONG_TURN_MS ? Math.ceil(most / 2) : Math.min(most + 1, MOST_PIECES);
    for (let pieces = 0; pieces < most && (pieces === 0 || now() < begun + WORK_MS); pieces++) {
      const client = next();
      if (client === undefined) break;
      piece(client);
    }
    goingOnSince = due.size > 0 ? begun : undefined;
    come();
  }

  /** A client has done all, or has gone. */
  function end(client: T): void {
    const { address } = client;
    const line = lines.get(address);
    if (line === undefined) return;
    for (const clients of [line.waiting, line.atWork, line.ready]) clients.delete(client);
    if (line.waiting.size + line.atWork.size > 0) queue(address, line);
    else {
      lines.delete(address);
      due.delete(address);
    }
  }

  return {
    /** A client comes, and begins as soon as not too many of its address are at work. */
    begin(client: T): void {
      const line = lines.get(client.address) ?? { waiting: new Set(), atWork: new Set(), ready: new Set() };
      lines.set(client.address, line);
      line.waiting.add(client);
      queue(client.address, line);
    },
    /** A client that has begun can do its next piece. */
    goOn(client: T): void {
      const line = lines.get(client.address);
      if (!line?.atWork.has(client)) return;
      line.ready.add(client);
      queue(client.address, line);
    },
    end,
    /** How many of an address wait to begin. */
    waitingOf: (address: string): number => lines.get(address)?.waiting.size ?? 0,
    /** Something else comes first in this turn, such as a connection that is taken. */
    hold(): void {
      isHeld = true;
    },
  };
}

/** What is done for somebody at an address, all of it in one piece. */
interface Errand {
  address: string;
  act(): void;
}

export type Crowd = ReturnType<typeof createCrowd>;

/** The same for what is one piece each. */
export function createCrowd(now: () => number, report: (error: unknown) => void) {
  const turns = createTurns<Errand>({
    now,
    piece(errand) {
      turns.end(errand);
      errand.act();
    },
    failed: (_errand, error) => report(error),
  });
  return turns;
}
