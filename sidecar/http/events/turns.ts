/** How long such work takes in one turn of the event loop, in milliseconds. */
const WORK_MS = 1;

/** Pieces of it in one turn, however quick they are. */
const MOST_PIECES = 16;

/** Of one address, those that are at work at once: the others wait until one of them is done. */
const MOST_AT_WORK = 8;

/** Turns in which something else came first, before it goes on all the same. */
const MOST_HELD = 20;

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
 */
export function createTurns<T extends { address: string }>(deps: { now(): number; piece(client: T): void }) {
  const { now, piece } = deps;
  const lines = new Map<string, Line<T>>();
  /** the addresses of which somebody can do a piece, in turn */
  const due = new Set<string>();
  let isComing = false;
  let isHeld = false;
  let held = 0;

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

  function work(): void {
    isComing = false;
    const isLater = isHeld && held < MOST_HELD;
    isHeld = false;
    held = isLater ? held + 1 : 0;
    const end = now() + WORK_MS;
    for (let pieces = 0; !isLater && pieces < MOST_PIECES && (pieces === 0 || now() < end); pieces++) {
      const client = next();
      if (client === undefined) break;
      piece(client);
    }
    come();
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
    /** A client has done all, or has gone. */
    end(client: T): void {
      const { address } = client;
      const line = lines.get(address);
      if (line === undefined) return;
      for (const clients of [line.waiting, line.atWork, line.ready]) clients.delete(client);
      if (line.waiting.size + line.atWork.size > 0) queue(address, line);
      else {
        lines.delete(address);
        due.delete(address);
      }
    },
    /** Something else comes first in this turn, such as a connection that is taken. */
    hold(): void {
      isHeld = true;
    },
  };
}
