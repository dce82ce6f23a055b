import { count, list, text } from "../../../shared/guard.ts";
import { NAME_LENGTH, NAMES_PER_FACT } from "../../../shared/limits.ts";
import type { Records } from "../storage/records.ts";
import { collection, parseJson } from "../storage/records.ts";
import type { Parts } from "./ports.ts";
import { type PartialSnapshot, partialSnapshot } from "./snapshot.ts";

/** Names of one action. */
export const MAX_NAMES = 100_000;

/** How long parts are stored, in milliseconds: longer than any request waits for them. */
const RETENTION_MS = 30_000;

/** The facts that have reported names of an action. */
const NAME_FACTS = collection<number[]>({
  name: "name-facts",
  isSmall: true,
  expires: true,
  parse: parseJson(list(count, MAX_NAMES)),
});

/** The names of one fact. */
const NAMES = collection<string[]>({
  name: "names",
  isSmall: true,
  expires: true,
  parse: parseJson(list(text(NAME_LENGTH), NAMES_PER_FACT)),
});

const PARTIAL = collection<PartialSnapshot>({
  name: "partial",
  isSmall: true,
  expires: true,
  parse: parseJson(partialSnapshot),
});

const areTooMany = (facts: readonly number[]): boolean => facts.length * NAMES_PER_FACT > MAX_NAMES;

export function createParts(records: Records, server: string): Parts {
  const keyOf = (action: string): string => `${server}:${action}`;
  const partOf = (action: string, fact: number): string => `${keyOf(action)}:${fact}`;
  return {
    addNames: (action, fact, names, lease) =>
      records.transact(
        transaction => {
          const facts = transaction.get(NAME_FACTS, keyOf(action)) ?? [];
          const isRoom = facts.includes(fact) || !areTooMany(facts);
          const all = facts.includes(fact) || !isRoom ? facts : [...facts, fact];
          transaction.put(NAME_FACTS, keyOf(action), all, RETENTION_MS);
          if (isRoom) transaction.put(NAMES, partOf(action, fact), [...names], RETENTION_MS);
        },
        { lease },
      ),
    async names(action) {
      const facts = await records.get(NAME_FACTS, keyOf(action));
      if (facts === undefined) return undefined;
      if (areTooMany(facts)) return "too many";
      const sorted = facts.toSorted((one, other) => one - other);
      const found = await records.getMany(
        NAMES,
        sorted.map(fact => partOf(action, fact)),
      );
      // Some were not stored; without this check the list would look complete.
      return found.size < facts.length ? "too many" : [...found.values()].flat();
    },
    async forgetNames(action) {
      await records.transact(transaction => {
        const parts = (transaction.get(NAME_FACTS, keyOf(action)) ?? []).map(fact => partOf(action, fact));
        // Fetches all of them in one call, before deleting them one by one.
        transaction.getMany(NAMES, parts);
        transaction.delete(NAME_FACTS, keyOf(action));
        for (const part of parts) transaction.delete(NAMES, part);
      });
    },
    partial: () => records.get(PARTIAL, server),
    setPartial: (next, lease) =>
      records.transact(
        transaction => {
          if (next) transaction.put(PARTIAL, server, next, RETENTION_MS);
          else transaction.delete(PARTIAL, server);
        },
        { lease },
      ),
  };
}
