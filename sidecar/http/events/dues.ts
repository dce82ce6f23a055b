import { costOf, type NamedRate, secondsToNext } from "../../domain/rate.ts";
import type { Clock, Rates } from "../../ports.ts";

/**
 * How long a client waits for its address to pay, in milliseconds: with the limits as they come all the streams that an address
 * may have are given 100 KiB each within it.
 */
export const MOST_WAIT_MS = 300_000;

/** The clients of one address that cannot pay, in turn, with what ends the wait of each. */
interface Line<T> {
  /** those that have been given something before */
  begun: Map<T, () => void>;
  others: Map<T, () => void>;
  /** keeps the first one from trying again */
  stop(): void;
}

const firstOf = <T>({ begun, others }: Line<T>): T | undefined =>
  (begun.size > 0 ? begun : others).keys().next().value;

/**
 * Has the address of a client pay for the bytes that it is given, as for those of lists. Where that cannot pay, its clients wait
 * in line: those that have been given something come first, so that they are done before others begin.
 * @param deps.goOn the client has paid after a while, and is to be given what it asked for
 * @param deps.wait the client has to wait
 * @param deps.again the client is to ask once more
 * @param deps.giveUp the client has waited for too long
 * @param deps.failed a fault has kept the client from paying, and it waits for nothing any more
 */
export function createDues<T extends { address: string }>(deps: {
  clock: Clock;
  rates: Pick<Rates, "take">;
  rate: NamedRate;
  goOn(client: T): void;
  wait(client: T): void;
  again(client: T): void;
  giveUp(client: T): void;
  failed(client: T, error: unknown): void;
}) {
  const { clock, rates, rate } = deps;
  const lines = new Map<string, Line<T>>();
  /** those whose address is asked at the moment */
  const asking = new Set<T>();
  /** those that have paid what they were not given yet */
  const paid = new WeakSet<T>();
  const begun = new WeakSet<T>();

  const placesOf = (client: T, line: Line<T>): Map<T, () => void> =>
    begun.has(client) ? line.begun : line.others;

  function leave(client: T): void {
    const line = lines.get(client.address);
    if (line === undefined) return;
    const wasFirst = firstOf(line) === client;
    const places = placesOf(client, line);
    places.get(client)?.();
    places.delete(client);
    if (!wasFirst) return;
    line.stop();
    const next = firstOf(line);
    if (next === undefined) lines.delete(client.address);
    else deps.again(next);
  }

  function forget(client: T): void {
    asking.delete(client);
    leave(client);
  }

  function giveUp(client: T): void {
    forget(client);
    deps.giveUp(client);
  }

  function wait(client: T, cost: number): void {
    const line = lines.get(client.address) ?? { begun: new Map(), others: new Map(), stop: () => undefined };
    lines.set(client.address, line);
    const places = placesOf(client, line);
    if (!places.has(client))
      places.set(
        client,
        clock.after(MOST_WAIT_MS, () => giveUp(client)),
      );
    deps.wait(client);
    if (firstOf(line) !== client) return;
    line.stop();
    line.stop = clock.after(secondsToNext(rate, cost) * 1_000, () => deps.again(client));
  }

  /** Whether a client has paid, where its address was over at this place. */
  function settle(client: T, cost: number, over: number): boolean {
    if (over >= 0) {
      wait(client, cost);
      return false;
    }
    leave(client);
    begun.add(client);
    return true;
  }

  return {
    /** True where so many bytes are paid; else the client waits, and is told when it goes on or is to ask again. */
    pay(client: T, bytes: number): boolean {
      const cost = costOf(bytes, rate);
      if (paid.delete(client) || cost === 0) {
        leave(client);
        return true;
      }
      const line = lines.get(client.address);
      if (line && firstOf(line) !== client && !begun.has(client)) {
        wait(client, cost);
        return false;
      }
      const over = rates.take({ key: client.address, rate, cost });
      if (typeof over === "number") return settle(client, cost, over);
      asking.add(client);
      over
        .then(place => {
          if (!asking.delete(client) || !settle(client, cost, place)) return;
          paid.add(client);
          deps.goOn(client);
        })
        .catch((error: unknown) => {
          forget(client);
          deps.failed(client, error);
        });
      return false;
    },
    /** The client has gone. */
    forget,
  };
}
