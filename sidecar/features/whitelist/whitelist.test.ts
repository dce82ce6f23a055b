import { describe, expect, it } from "@jest/globals";
import type { Outcome } from "../../../shared/facts.ts";
import { createTestApp, type TestApp, type TestAppOptions } from "../../../test/helpers/test-app.ts";
import { type Reach, StorageAway } from "../../kernel/storage/ports.ts";

const AUTHOR = { key: "reader", address: "192.0.2.1" };
const GAMERTAG: TestAppOptions = { yaml: "modules.api.whitelist-names: gamertag" };
const READ = { do: "allowlist-read" };

const begin = (options?: TestAppOptions): Promise<TestApp> => createTestApp({ players: [], ...options });
const add = ({ whitelistOf, server }: TestApp, name = "Steve") => whitelistOf(server).add(name, AUTHOR);
const remove = ({ whitelistOf, server }: TestApp, name = "Steve") => whitelistOf(server).remove(name, AUTHOR);

describe("the names that can be added", () => {
  const ofJava = ["Steve", "a", "A_b_0", "x".repeat(16)];
  const gamertags = [
    "Ari Vale",
    "Zoë",
    "이름",
    "Ari Vale#1234",
    "𝒜".repeat(16),
    "a b c d e f g h",
    "١٢٣",
    "é",
  ];
  const ofBoth = ["Steve", "a", "x".repeat(16)];
  const ofNone = [
    ...["", " ", " a", "a ", "a  b", "a-b", "a#", "a#12345", "a #1", "#1", "a#1#2", "a#١", "a\n", "a\u00a0b"],
    ...["x".repeat(17), "𝒜".repeat(17), "a\u200bb", "😀", "a\tb", "\ud800"],
  ];

  it.each([
    ["of the Java Edition, where nothing else is said", {}, ofJava, [...gamertags, ...ofNone]],
    ["Gamertags, where the settings say so", GAMERTAG, [...ofBoth, ...gamertags], [...ofNone, "a_b"]],
  ])("are %s", async (_what, options, taken, refused) => {
    const app = await begin(options);
    const { takes } = app.whitelistOf(app.server);
    expect(taken.filter(name => !takes(name))).toEqual([]);
    expect(refused.filter(takes)).toEqual([]);
  });

  it("do not limit the names that can be on the list", async () => {
    const app = await begin();
    const { mayList } = app.whitelistOf(app.server);
    expect(["Ari Vale", "名前", "a-b", " ", "x".repeat(64)].filter(name => !mayList(name))).toEqual([]);
    expect(["", "x".repeat(65)].filter(mayList)).toEqual([]);
  });
});

describe("a change of the list", () => {
  const unexpected = (why: string) => ({ outcome: "unexpected_result", why });
  const ADD = "whitelist.add";
  const REMOVE = "whitelist.remove";
  it.each<[string, string, Outcome["status"], { outcome: string }]>([
    [ADD, "Steve", "done", { outcome: "whitelisted" }],
    [ADD, "Steve", "failed", unexpected("allowlist-add failed: no allowlist")],
    [REMOVE, "Steve", "done", { outcome: "removed" }],
    [REMOVE, "名前", "done", { outcome: "removed" }],
    [REMOVE, "Steve", "absent", { outcome: "not_whitelisted" }],
    [REMOVE, "Ari Vale", "absent", { outcome: "invalid_name" }],
    [REMOVE, "Steve", "failed", unexpected("allowlist-remove failed: no allowlist")],
  ])("is sent to the game and audited: %s of %s is %s", async (action, name, status, changed) => {
    const app = await begin();
    const pending = action === ADD ? add(app, name) : remove(app, name);
    app.clock.advance(3);
    const { body } = await app.pack.carryOut(status, status === "failed" ? { reason: "no allowlist" } : {});
    expect(body).toEqual({ do: action === ADD ? "allowlist-add" : "allowlist-remove", name });
    expect(await pending).toEqual(changed);
    const { outcome } = changed;
    expect(app.audit).toEqual([{ at: app.clock.now(), ...AUTHOR, action, name, outcome }]);
  });

  it("of a possible Gamertag reports that the name was not listed, if those can be added", async () => {
    const app = await begin(GAMERTAG);
    const pending = remove(app, "Ari Vale");
    await app.pack.carryOut("absent");
    expect(await pending).toEqual({ outcome: "not_whitelisted" });
  });

  it("is audited before it is answered", async () => {
    let write = (): void => undefined;
    const written = new Promise<void>(resolve => {
      write = resolve;
    });
    const app = await begin({ written: () => written });
    let isAnswered = false;
    const pending = add(app).finally(() => {
      isAnswered = true;
    });
    await app.pack.carryOut("done");
    await app.quiet();
    expect([isAnswered, app.audit]).toEqual([false, []]);
    write();
    expect([await pending, app.audit.length]).toEqual([{ outcome: "whitelisted" }, 1]);
  });

  it("can be retried after the storage became unreachable", async () => {
    const listeners: ((isAway: boolean) => void)[] = [];
    const reach: Reach = { isAway: () => true, onChange: listener => void listeners.push(listener) };
    const app = await begin({ with: () => ({ reach }) });
    const [added, read] = [add(app), app.whitelistOf(app.server).read()];
    await app.quiet();
    for (const listener of listeners) listener(true);
    app.clock.advance(500);
    expect(await added).toEqual({ outcome: "server_unavailable" });
    await expect(read).rejects.toThrow(StorageAway);
    expect(app.audit).toMatchObject([{ outcome: "server_unavailable" }]);
  });
});

describe("the list", () => {
  /** The game tells these names of the read that it has taken. */
  async function list({ pack }: TestApp, ...parts: string[][]): Promise<void> {
    const [action] = await pack.take();
    const id = action?.id ?? "";
    expect(action?.body).toEqual(READ);
    await pack.report(...parts.map(names => ({ is: "names" as const, id, names })), {
      is: "outcome",
      id,
      do: "allowlist-read",
      status: "done",
    });
  }

  it("is as the game reports it, even in parts: each name once, by code unit, without empty ones", async () => {
    const app = await begin();
    const pending = app.whitelistOf(app.server).read();
    await list(app, ["steve", "Steve", "", "_x"], ["Alex 2", "é", "Steve"]);
    expect(await pending).toEqual({ value: ["Alex 2", "Steve", "_x", "steve", "é"] });
    const again = app.whitelistOf(app.server).read();
    await list(app);
    expect(await again).toEqual({ value: [] });
  });

  it("is requested again after a read that takes a second, and fails after ten", async () => {
    const app = await begin();
    const both = [app.whitelistOf(app.server).read(), app.whitelistOf(app.server).read()];
    expect(await app.pack.take()).toMatchObject([{ body: READ }]);
    app.clock.advance(999);
    await app.quiet();
    expect(await app.pack.waiting()).toEqual([]);
    app.clock.advance(1);
    await app.quiet();
    expect(await app.pack.take()).toMatchObject([{ body: READ }]);
    app.clock.advance(9_000);
    expect(await Promise.all(both)).toEqual(Array(2).fill({ fault: "allowlist-read timeout" }));
    const third = app.whitelistOf(app.server).read();
    await app.quiet();
    app.clock.advance(1_000);
    await list(app, ["a"]);
    expect(await third).toEqual({ value: ["a"] });
  });

  it("can be read after many crashes of the game during reads", async () => {
    const app = await begin();
    const parts = Array.from({ length: 60 }, () => Array<string>(200).fill("a"));
    for (let crash = 0; crash < 9; crash++) {
      const pending = app.whitelistOf(app.server).read();
      const [action] = await app.pack.take();
      const id = action?.id ?? "";
      await app.pack.report(...parts.map(names => ({ is: "names" as const, id, names })));
      app.clock.advance(10_000);
      expect(await pending).toHaveProperty("fault");
      app.pack.seq = 1;
      await app.pack.connect(`run after crash ${crash}`);
    }
    app.clock.advance(1);
    const pending = app.whitelistOf(app.server).read();
    await list(app, ...parts);
    expect(await pending).toEqual({ value: ["a"] });
  });

  it("fails if it has too many names", async () => {
    const app = await begin();
    const pending = app.whitelistOf(app.server).read();
    await list(app, ...Array.from({ length: 501 }, (_, i) => Array(200).fill(`${i}`)));
    expect(await pending).toEqual({ fault: "allowlist-read failed: too many names" });
  });
});
