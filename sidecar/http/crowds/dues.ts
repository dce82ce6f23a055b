import { MOST_WAIT_MS } from "../../domain/crowds.ts";
import { costOf, type NamedRate, secondsToNext } from "../../domain/rate.ts";
import type { Clock, Rates } from "../../ports.ts";
import { type Addressed, createLines } from "./counts.ts";

/**
 * Has the address of a client pay for the bytes that it is given, as for those of lists. Where that cannot pay, its clients wait
 * in line: those that have been given something come first, so that they are done before others begin.
 * @param deps.goOn the client has paid after a while, and is to be given what it asked for
 * @param deps.wait the client has to wait
 * @param deps.again the client is to ask once more
 * @param deps.giveUp the client has waited for too long
 * @param deps.failed a fault has kept the client from paying, and it waits for nothing any more
 */
export function createDues<T extends Addressed>(deps: {
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
  /** those that wait: who has been given something before, and others */
  const [begun, others] = [createLines<T>(), createLines<T>()];
  const haveBegun = new WeakSet<T>();
  /** what ends the wait of each */
  const patience = new Map<T, () => void>();
  /** those whose address is asked at the moment */
  const asking = new Set<T>();
  /** those that have paid what they were not given yet */
  const paid = new WeakSet<T>();

  const firstOf = (address: string): T | undefined => begun.first(address) ?? others.first(address);

  function leave(client: T): void {
    const wasFirst = firstOf(client.address) === client;
    patience.get(client)?.();
    patience.delete(client);
    for (const line of [begun, others]) line.delete(client);
    const next = firstOf(client.address);
    if (wasFirst && next !== undefined) deps.again(next);
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
    (haveBegun.has(client) ? begun : others).add(client);
    if (!patience.has(client))
      patience.set(
        client,
        clock.after(MOST_WAIT_MS, () => giveUp(client)),
      );
    deps.wait(client);
    const tryAgain = (): void => {
      if (firstOf(client.address) === client) deps.again(client);
    };
    if (firstOf(client.address) === client) clock.after(secondsToNext(rate, cost) * 1_000, tryAgain);
  }

  /** Whether a client has paid, where its address was over at this place. */
  function settle(client: T, cost: number, over: number): boolean {
    if (over >= 0) {
      wait(client, cost);
      return false;
    }
    leave(client);
    haveBegun.add(client);
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
      const first = firstOf(client.address);
      if (first !== undefined && first !== client && !haveBegun.has(client)) {
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
