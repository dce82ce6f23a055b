import { beforeEach, describe, expect, it } from "@jest/globals";
import { object, text } from "../../../shared/guard.ts";
import type { RecordsWithStreams } from "./records.ts";
import { collection, parseJson } from "./records.ts";
import { isAfter } from "./stream-ids.ts";
import type { Stream, StreamEntry } from "./streams.ts";

/** Words, each once: appended ones are recorded in `SAID`. */
export const WORDS: Stream<{ word: string }> = {
  name: "words",
  damaged: "a word is damaged",
  parse: parseJson(object({ word: text(100) })),
  format: JSON.stringify,
};

export const SAID = collection<string>({
  name: "said",
  isRemembered: true,
  parse: text => text,
  format: text => text,
});

type Entries = readonly StreamEntry<{ word: string }>[];

/** Contract of every storage of streams; `another` opens it as another process, if it can be shared. */
export function describeStreams(
  name: string,
  make: () => Promise<{ records: RecordsWithStreams; another(): Promise<RecordsWithStreams> }>,
): void {
  describe(name, () => {
    let records: RecordsWithStreams;
    let another: () => Promise<RecordsWithStreams>;
    beforeEach(async () => {
      ({ records, another } = await make());
    });

    const say = (by: RecordsWithStreams, ...words: string[]): Promise<string[]> =>
      by.transact(transaction => {
        const fresh = words.filter(word => transaction.get(SAID, word) === undefined);
        for (const word of fresh) transaction.put(SAID, word, word);
        transaction.append(
          WORDS,
          fresh.map(word => ({ word })),
        );
        return fresh;
      });
    const wordsOf = (entries: Entries): string[] => entries.map(({ entry }) => entry.word);

    /** Everything a listener received. */
    function listen(to: RecordsWithStreams) {
      const received: { begun: string[]; floor: string; moments: string[][]; ids: string[] } = {
        ...{ begun: [], floor: "", moments: [], ids: [] },
      };
      const stop = to.tail(WORDS, {
        begin(floor, entries) {
          received.begun = wordsOf(entries);
          received.floor = floor;
        },
        add(entries) {
          received.moments.push(wordsOf(entries));
          received.ids.push(...entries.map(({ id }) => id));
        },
      });
      return { received, stop };
    }

    it("notifies listeners of appended entries, in order and with increasing ids, before the transaction settles", async () => {
      const { received, stop } = listen(records);
      await say(records, "a", "b");
      expect(received.moments.flat()).toEqual(["a", "b"]);
      await say(records, "c");
      expect(received.moments.flat()).toEqual(["a", "b", "c"]);
      const [first = "", second = "", third = ""] = received.ids;
      expect([isAfter(first, received.floor), isAfter(second, first), isAfter(third, second)]).toEqual([
        true,
        true,
        true,
      ]);
      stop();
      await say(records, "d");
      expect(received.moments.flat()).toHaveLength(3);
    });

    it("appends atomically with the records that the decision read", async () => {
      const both = [records, await another()];
      const { received } = listen(records);
      const words = ["a", "b", "c", "d"];
      const fresh = await Promise.all(
        Array.from({ length: 8 }, (_, i) => say(both[i % 2] ?? records, ...words)),
      );
      await records.sync(WORDS);
      expect(received.moments.flat().sort()).toEqual(words);
      expect(fresh.flat().sort()).toEqual(words);
    });

    it("appends and changes nothing if the decision throws", async () => {
      const { received } = listen(records);
      const deciding = records.transact(transaction => {
        transaction.put(SAID, "a", "a");
        transaction.append(WORDS, [{ word: "a" }]);
        throw new Error("changed its mind");
      });
      await expect(deciding).rejects.toThrow("changed its mind");
      await say(records, "b");
      expect([received.moments.flat(), await records.get(SAID, "a")]).toEqual([["b"], undefined]);
    });

    it("delivers entries to another process, and all of them to one that starts later", async () => {
      const other = await another();
      const { received } = listen(other);
      await say(records, "a", "b");
      await say(other, "c");
      await other.sync(WORDS);
      expect(received.moments.flat()).toEqual(["a", "b", "c"]);
      const late = listen(await another());
      expect([late.received.begun, late.received.floor]).toEqual([["a", "b", "c"], received.floor]);
    });

    it("removes dropped entries, and reports the newest dropped id", async () => {
      const { received } = listen(records);
      await say(records, "a", "b", "c");
      await records.drop(WORDS, received.ids.slice(1, 2));
      const late = listen(records);
      expect([late.received.begun, late.received.floor]).toEqual([["a", "c"], received.ids[1]]);
    });
  });
}
