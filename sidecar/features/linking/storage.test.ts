import { beforeEach, describe, expect, it } from "@jest/globals";
import { ManualClock } from "../../../test/helpers/clock.ts";
import { RecordingLog } from "../../../test/helpers/log.ts";
import { createMemoryStore } from "../../../test/helpers/memory-store.ts";
import {
  browsersOf,
  createTestApp,
  STEVE,
  sessionOf,
  type TestApp,
  type TestAppOptions,
} from "../../../test/helpers/test-app.ts";
import { StorageAway, StorageFull } from "../../kernel/storage/ports.ts";
import { createRetryQueue } from "../../kernel/storage/retry-queue.ts";

const OWN = sessionOf(1);

let app: TestApp;
async function begin(options?: TestAppOptions): Promise<void> {
  app = await createTestApp({ players: ["Steve", "Alex"], ...options });
}
beforeEach(() => begin());

const browsers = browsersOf(() => app);
const ask = () => browsers.ask(OWN);
const linked = () => browsers.status(OWN);

describe("a store", () => {
  /** One that fails to change anything while `fault` is set. */
  async function failing(): Promise<{ fault: Error | undefined }> {
    const state: { fault: Error | undefined } = { fault: undefined };
    const store = createMemoryStore();
    const check = (): void => {
      if (state.fault) throw state.fault;
    };
    await begin({
      store: {
        ...store,
        async change(session, decide) {
          const before = await store.read(session);
          if (decide(before).record !== before) check();
          return store.change(session, decide);
        },
        checkWritable: async () => check(),
      },
    });
    return state;
  }
  const again = async (state: { fault: Error | undefined }): Promise<void> => {
    state.fault = undefined;
    app.clock.advance(1_000);
    await app.quiet();
  };

  it("[FORM-12] without space keeps a player's answer and its deadline pending, and the player gets no second form", async () => {
    const state = await failing();
    const request = await browsers.opened(OWN);
    state.fault = new StorageFull("no room");
    await app.pack.report({ is: "answered", request, accepted: true });
    expect([await linked(), app.storage.fault()]).toEqual(["pending", "storage full"]);
    expect((await app.pack.connect("next run")).links).toMatchObject([{ request, open: false }]);
    app.clock.advance(200_000);
    await app.quiet();
    expect(await linked()).toBe("pending");
    await again(state);
    expect([await linked(), app.storage.fault()]).toEqual(["accepted", undefined]);
  });

  it("is not reported as full or unreachable because of a bug in a step", async () => {
    const state = await failing();
    state.fault = new TypeError("a bug");
    await expect(ask()).rejects.toThrow("a bug");
    expect(app.storage.fault()).toBeUndefined();
  });

  it("[FORM-12] without space keeps the end of all links pending after earlier answers", async () => {
    const state = await failing();
    const request = await browsers.opened(OWN);
    state.fault = new StorageFull("no room");
    await app.pack.report({ is: "answered", request, accepted: true });
    await app.pack.report({ is: "unlinked-by-player", player: STEVE });
    expect(await linked()).toBe("pending");
    await again(state);
    expect(await linked()).toBe("not_linked");
  });

  it("[FORM-12] without space also ends links accepted since an earlier end of all links", async () => {
    const state = await failing();
    await browsers.answered(true, OWN);
    const other = sessionOf(2);
    const request = await browsers.opened(other);
    state.fault = new StorageFull("no room");
    await app.pack.report({ is: "unlinked-by-player", player: STEVE });
    await app.pack.report({ is: "answered", request, accepted: true });
    await app.pack.report({ is: "unlinked-by-player", player: STEVE });
    await again(state);
    expect([await linked(), await browsers.status(other)]).toEqual(["not_linked", "not_linked"]);
  });

  it("[FORM-12] without space closes a form, and its request fails", async () => {
    const state = await failing();
    const pending = ask();
    const [action] = await app.pack.take();
    state.fault = new StorageFull("no room");
    const request = action?.id ?? "";
    await app.pack.report({ is: "outcome", id: request, status: "done", player: STEVE });
    expect(await app.pack.waiting()).toContainEqual({ do: "link-close", request });
    await expect(pending).rejects.toThrow(StorageFull);
  });

  it("[FORM-12] with space only for the end of a request answers that it could not be stored", async () => {
    const store = createMemoryStore();
    const change: typeof store.change = async (session, decide, lease) => {
      const { record } = decide(await store.read(session));
      if (record.link.status === "pending") throw new StorageFull("no room");
      return store.change(session, decide, lease);
    };
    await begin({ store: { ...store, change } });
    const pending = ask();
    await app.pack.carryOut("done", { player: STEVE });
    expect(await pending).toEqual({ answer: "unstored" });
  });

  it("without space rejects requests, and sends the game nothing", async () => {
    const state = await failing();
    state.fault = new StorageFull("no room");
    await expect(ask()).rejects.toThrow(StorageFull);
    expect([await ask(), await app.pack.waiting()]).toEqual([{ answer: "unstored" }, []]);
    await again(state);
    await browsers.opened(OWN);
  });

  it("that is unreachable makes the game report it again", async () => {
    const state = await failing();
    const pending = ask();
    const [action] = await app.pack.take();
    state.fault = new StorageAway("nothing answers there");
    const outcome = { is: "outcome", id: action?.id ?? "", status: "done", player: STEVE } as const;
    await expect(app.pack.report(outcome)).rejects.toThrow(StorageAway);
    state.fault = undefined;
    await app.pack.report(outcome);
    expect([await pending, await linked()]).toEqual([{ answer: "verification_sent" }, "pending"]);
  });
});

describe("a report of the game", () => {
  it("is not queued while the storage is unreachable: the pack reports it again", async () => {
    const { runOrRetry, has } = app.storage;
    let tries = 0;
    const step = async (): Promise<void> => {
      tries++;
      throw new StorageAway("nothing answers there");
    };
    await expect(runOrRetry("a", step)).rejects.toThrow(StorageAway);
    app.clock.advance(10_000);
    await app.quiet();
    expect([tries, has("a")]).toEqual([1, false]);
  });

  it("is queued without space, retried each second, and logged once when that begins and ends", async () => {
    const { runOrRetry, has } = app.storage;
    let isFull = true;
    const step = async (): Promise<void> => {
      if (isFull) throw new StorageFull("no room");
    };
    await runOrRetry("a", step);
    for (let second = 0; second < 3; second++) {
      app.clock.advance(1_000);
      await app.quiet();
      expect(has("a")).toBe(true);
    }
    isFull = false;
    app.clock.advance(999);
    await app.quiet();
    expect(has("a")).toBe(true);
    app.clock.advance(1);
    await app.quiet();
    expect(has("a")).toBe(false);
    const said = app.log.lines.map(({ message }) => message).filter(text => /stor(ed|age)/.test(text));
    expect(said).toEqual([
      "storage full: browser links are queued until they can be saved",
      "The storage accepts writes again",
    ]);
  });
});

it("a search for links that are due logs nothing while the storage is unreachable, and the reason if it fails otherwise", async () => {
  for (const [fault, status] of [
    [new StorageAway("nothing answers there"), 0],
    [new Error("broken"), 1],
  ] as const) {
    app = await createTestApp({ store: { ...createMemoryStore(), due: () => Promise.reject(fault) } });
    app.clock.advance(30_000);
    await app.quiet();
    expect(app.log.of("error")).toHaveLength(status);
  }
});

it("loses a report that cannot be stored because of a bug, and stores all others", async () => {
  const clock = new ManualClock();
  const log = new RecordingLog();
  const retries = createRetryQueue({ clock, log, what: "things" });
  let fault: Error | undefined = new StorageFull("no room");
  const stored: string[] = [];
  const step = (name: string, bug?: Error) => async () => {
    if (fault ?? bug) throw fault ?? bug;
    stored.push(name);
  };
  await retries.runOrRetry("first", step("first", new TypeError("a bug")));
  await retries.runOrRetry("second", step("second"));
  expect(retries.fault()).toBe("storage full");
  fault = undefined;
  clock.advance(1_000);
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  expect([stored, retries.fault()]).toEqual([["second"], undefined]);
  expect(log.of("error").map(({ message }) => message)).toContain(
    "Unexpected error: one of the things was lost",
  );
  retries.stop();
});
