import { describe, expect, it } from "@jest/globals";
import { FakePack } from "../../../test/helpers/fake-pack.ts";
import { createMemoryStore } from "../../../test/helpers/memory-store.ts";
import { serving } from "../../../test/helpers/serving.ts";

const LOBBY = "token-of-the-lobby-0123456789-abcdefgh";
const BY_COMMAND = { gameChat: "command" } as const;

const side = serving();
const { pack } = side;
/** `gameChat` of the service, and of each game server if there are several. */
async function gameChat(): Promise<unknown[]> {
  const { json } = await side.ask("/console.json");
  const { gameChat, servers = [] } = json as { gameChat: unknown; servers?: { gameChat: unknown }[] };
  return [gameChat, ...servers.map(one => one.gameChat)];
}

describe("`gameChat` of the settings", () => {
  it("is null until a pack connects, and then as the last one said", async () => {
    await side.start();
    expect(await gameChat()).toEqual([null]);
    await pack.connect("all features");
    expect(await gameChat()).toEqual(["all"]);
    await pack.connect("achievements", BY_COMMAND);
    expect(await gameChat()).toEqual(["command"]);
    await pack.connect("all features again");
    expect(await gameChat()).toEqual(["all"]);
  });

  it("changes the ETag", async () => {
    await side.start();
    await pack.connect("all features");
    const { headers } = await side.ask("/console.json");
    const again = { headers: { "If-None-Match": headers.get("etag") ?? "" } };
    expect((await side.ask("/console.json", again)).status).toBe(304);
    await pack.connect("achievements", BY_COMMAND);
    expect((await side.ask("/console.json", again)).status).toBe(200);
  });

  it("is still known after a restart of the sidecar", async () => {
    const store = createMemoryStore();
    await side.start({ store });
    await pack.connect("achievements", BY_COMMAND);
    await side.start({ store });
    expect(await gameChat()).toEqual(["command"]);
  });

  it("is that of the first game server, and each has its own in `servers`", async () => {
    await side.start({
      yaml: `servers: [{ name: lobby, token: "${LOBBY}" }, { name: nether, token: "${LOBBY}2" }]`,
    });
    await pack.connect("all features");
    await new FakePack(() => side.bridge, LOBBY).connect("achievements", BY_COMMAND);
    expect(await gameChat()).toEqual(["all", "all", "command", null]);
  });
});
