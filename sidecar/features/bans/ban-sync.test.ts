import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { createBanList } from "../../../behavior_pack/bans/ban-list.ts";
import { createNotices } from "../../../behavior_pack/notices.ts";
import { createTestApp } from "../../../test/helpers/test-app.ts";

const NAMES = ["Steve", "Alex"];
const BY = { key: "moderator", address: "192.0.2.1" };

const who = fc.record({
  name: fc.constantFrom(...NAMES),
  persistentId: fc.constantFrom("", "p1", "P2"),
  everywhere: fc.boolean(),
});
const step = fc.oneof(
  fc.record({ is: fc.constant("web" as const), name: fc.constantFrom(...NAMES), lifts: fc.boolean() }),
  fc.record({
    is: fc.constant("game" as const),
    who,
    lifts: fc.boolean(),
    ahead: fc.integer({ min: -3, max: 3 }),
  }),
  fc.record({ is: fc.constant("join" as const), who }),
  fc.record({ is: fc.constantFrom("sync" as const, "unheard" as const, "unanswered" as const) }),
  fc.record({ is: fc.constant("twice" as const), which: fc.nat() }),
  fc.record({ is: fc.constantFrom("stored" as const, "restarted" as const) }),
);

/** Two bans of one entry at one moment, with different reasons. */
const steve = { name: "Steve", persistentId: "" as const, everywhere: true };
const atOnce: (typeof step extends fc.Arbitrary<infer S> ? S : never)[] = [
  { is: "game", who: { ...steve, everywhere: false }, lifts: false, ahead: 0 },
  { is: "sync" },
  { is: "unanswered" },
  { is: "web", name: "Steve", lifts: false },
  { is: "game", who: steve, lifts: false, ahead: -1 },
];

/** The bans according to each end. */
const entries = (
  bans: readonly { name: string; at: number; isEverywhere: boolean; reason: unknown }[],
): string[] =>
  bans.map(({ name, at, isEverywhere, reason }) => `${name} ${at} ${isEverywhere} ${reason ?? "-"}`).sort();

it("[BAN-8] game server and sidecar end up with the same bans, after changes on both sides, losses and repetitions", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async steps => {
      const app = await createTestApp({ players: [] });
      const stored = new Map<string, string>();
      const load = () => {
        const store = {
          read: (key: string) => stored.get(key),
          write: (key: string, value: string) => stored.set(key, value),
        };
        const clock = { now: () => app.clock.now(), tick: () => 0 };
        const own = createBanList(
          clock,
          store,
          createNotices(() => undefined),
        );
        own.load();
        return own;
      };
      let list = load();
      const sent: ReturnType<typeof list.nextFrame>[] = [];
      const sync = async (is: "sync" | "unheard" | "unanswered"): Promise<void> => {
        const pending = list.nextFrame();
        sent.push(pending);
        if (is === "unheard") return;
        const answer = await app.pack.bansFrame(pending);
        if (is === "sync") list.applyAnswer(answer);
      };
      for (const one of steps) {
        app.clock.advance(1);
        if (one.is === "web") {
          const named = { name: one.name };
          if (one.lifts) await app.bans.remove(named, BY);
          else await app.bans.add({ who: named, reason: "web" }, BY);
        } else if (one.is === "game") {
          const { persistentId, ...rest } = one.who;
          const at = app.clock.now() + one.ahead;
          list.add({ ...rest, ...(persistentId && { persistentId }), at, lifted: one.lifts });
        } else if (one.is === "join") {
          const { name, persistentId } = one.who;
          for (const ban of list.find(name, persistentId))
            if (persistentId === "") continue;
            else if (ban.persistentId === undefined) list.bind(ban, persistentId);
            else if (ban.name !== name) list.rename(ban, name);
        } else if (one.is === "twice") {
          const old = sent[one.which % Math.max(1, sent.length)];
          if (old !== undefined) await app.pack.bansFrame(old);
        } else if (one.is === "stored") list.step();
        else if (one.is === "restarted") list = load();
        else await sync(one.is);
      }
      // Decisions by a clock that is ahead no longer are.
      app.clock.advance(10);
      for (let i = 0; i < 10; i++) await sync("sync");
      const here = [...list.byName().newest.values()].flat();
      const there = await app.bans.list();
      expect(
        entries(here.map(ban => ({ ...ban, isEverywhere: ban.everywhere === true, reason: ban.reason }))),
      ).toEqual(entries(there.map(ban => ({ ...ban, isEverywhere: ban.servers === null }))));
      expect(list.pending()).toBe(0);
      app.stop();
    }),
    { numRuns: 300, examples: [[atOnce]] },
  );
});
