import { expect, it } from "@jest/globals";
import { PRODUCT_VERSION } from "../../../shared/version.ts";
import { createMemoryStore } from "../../../test/helpers/memory-store.ts";
import { createTestApp, type TestAppOptions } from "../../../test/helpers/test-app.ts";

const ONE = { id: "w1", name: "One" };
const TWO = { id: "w2", name: "Two" };

it("the status is about the sidecar alone until a game server has connected", async () => {
  const app = await createTestApp();
  const startedAt = app.clock.now();
  app.clock.advance(5_000);
  expect(await app.server.status()).toEqual({ version: PRODUCT_VERSION, startedAt });
});

it.each<[string, TestAppOptions]>([
  ["", {}],
  [
    ", though the storage fails",
    {
      store: {
        ...createMemoryStore(),
        last: () => Promise.reject(new Error("broken")),
        setLast: () => Promise.reject(new Error("broken")),
      },
    },
  ],
  [", though the storage forgets", { store: { ...createMemoryStore(), last: async () => undefined } }],
])(
  "the status names the world that is connected, since when, and when it reported%s",
  async (_what, options) => {
    const app = await createTestApp(options);
    await app.pack.connect("run", { world: ONE });
    const connectedAt = app.clock.now();
    expect((await app.server.status()).game).toEqual({ world: ONE, connectedAt });
    app.clock.advance(1_000);
    await app.pack.connect("run", { world: ONE });
    await app.pack.snapshot("Steve");
    const reportedAt = app.clock.now();
    expect((await app.server.status()).game).toEqual({ world: ONE, connectedAt, reportedAt });
    await app.pack.connect("another");
    expect((await app.server.status()).game).toEqual({ connectedAt: reportedAt, reportedAt });
  },
);

it("the status of one of several game servers names it, and is of that one only", async () => {
  const app = await createTestApp({ yaml: "servers: [{name: lobby}]" });
  const [first, lobby] = app.packs;
  await first?.connect("one", { world: ONE });
  await lobby?.connect("two", { world: TWO });
  const statuses = await Promise.all(app.gameServers.all.map(server => server.status()));
  expect(statuses.map(({ server, game }) => [server, game?.world])).toEqual([
    ["main", ONE],
    ["lobby", TWO],
  ]);
  expect(app.log.of("info").map(({ fields }) => fields)).toEqual([
    expect.objectContaining({ server: "main", world: "One" }),
    expect.objectContaining({ server: "lobby", world: "Two" }),
  ]);
});

it("the status has the time when another game server was last rejected", async () => {
  const app = await createTestApp();
  await app.pack.connect("one", { world: ONE });
  await app.anotherPack().connect("two", { world: TWO });
  app.clock.advance(1_000);
  await expect(app.pack.connect("one", { world: ONE })).rejects.toThrow("session_replaced");
  const refusedAt = app.clock.now();
  expect((await app.server.status()).game).toMatchObject({ world: TWO, refusedAt });
});

it("the log names both game servers where the pack of one has the token of another one", async () => {
  const { log, packs, anotherPack } = await createTestApp({ yaml: "servers: [{name: lobby}]" });
  const [survival, lobby] = packs;
  await survival?.connect("survival", { world: ONE });
  await lobby?.connect("lobby", { world: TWO });
  expect(log.of("warn")).toEqual([]);
  await anotherPack().connect("lobby again", { world: TWO });
  await expect(survival?.connect("survival", { world: ONE })).rejects.toThrow("session_replaced");
  expect(log.of("warn")).toMatchObject([
    {
      message: expect.stringContaining("A different world has connected"),
      fields: { server: "main", world: TWO, worldOf: "lobby", before: ONE },
    },
    {
      message: expect.stringContaining("Two game servers use the same token"),
      fields: { server: "main", world: ONE, connected: TWO },
    },
  ]);
  await lobby?.connect("creative", { world: { id: "w3", name: "Creative" } });
  expect(log.of("warn").at(-1)?.fields).not.toHaveProperty("worldOf");
});
