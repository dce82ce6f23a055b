import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { Action } from "../../shared/actions.ts";
import { embedded } from "../../sidecar/embedded.ts";
import { createMemoryStore } from "../../sidecar/store/memory.ts";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { ask, newSession } from "../helpers/client.ts";
import { ManualClock } from "../helpers/clock.ts";
import { FakePack, row } from "../helpers/fake-pack.ts";
import { memoryFeedLog } from "../helpers/feed-log.ts";
import { RecordingLog } from "../helpers/log.ts";
import { ADMIN_KEY, startOneSidecar, type TestSidecar } from "../helpers/one-sidecar.ts";
import { eventually } from "../helpers/runner.ts";

const steve = row("Steve").player;

/** What was asked of the storage, and told to other sidecars, since it was taken last. */
let asked: string[] = [];
let side: TestSidecar;
let pack: FakePack;
beforeEach(async () => {
  const clock = new ManualClock();
  const shared = embedded(clock, { store: createMemoryStore(), feedLog: memoryFeedLog(clock) });
  const { store, world } = shared;
  const noted =
    <A extends unknown[], T>(name: string, call: (...args: A) => T) =>
    (...args: A): T => {
      asked.push(name);
      return call(...args);
    };
  side = await startOneSidecar({}, clock, new RecordingLog(), {
    ...shared,
    world: {
      ...world,
      bus: { ...world.bus, publish: noted("publish", world.bus.publish) },
      parts: { ...world.parts, names: noted("names", world.parts.names) },
    },
    store: {
      ...store,
      sessionOf: noted("sessionOf", store.sessionOf),
      change: noted("change", store.change),
    },
  });
  pack = new FakePack(side.bridge);
  await pack.connect();
  await pack.snapshot("Steve");
  asked = [];
});
afterEach(() => side.stop());

async function taken(): Promise<Action> {
  const [action] = await pack.take();
  if (!action) throw new Error("no action came");
  return action;
}

/** A line from the web, on its way; `refused`: what its sender hears in the end. */
async function line(): Promise<{ id: string; socket: ChatSocket }> {
  const socket = await ChatSocket.open(side.base);
  socket.say("hello");
  const { id } = await taken();
  asked = [];
  return { id, socket };
}

/** A request to be linked, on its way. */
async function request(): Promise<{ id: string; status: Promise<number>; linked(): Promise<unknown> }> {
  const { cookie } = await newSession(side.base);
  const answer = ask(side.base, "/link-player", { cookie, body: { username: "Steve" } });
  const { id } = await taken();
  asked = [];
  const linked = async () => (await ask(side.base, "/linked-player", { cookie })).json;
  return { id, status: answer.then(({ status }) => status), linked };
}

describe("an outcome that says what it is of", () => {
  it("[ACT-14] is looked up nowhere and told to no other sidecar, where it is of a line that was sent here", async () => {
    const { id, socket } = await line();
    await pack.report({ is: "outcome", id, do: "chat", status: "done" });
    expect(asked).toEqual([]);
    expect(await socket.settled()).toEqual([]);
    await socket.close();
  });

  it("[ACT-14] is told to the others and looked up nowhere, where it is of a line that nobody waits for here", async () => {
    await pack.report({ is: "outcome", id: "of another sidecar", do: "chat", status: "done" });
    expect(asked).toEqual(["publish"]);
  });

  it("[ACT-14] has no names where it is of a link request, and no session where it is of the allowlist", async () => {
    const { id, status, linked } = await request();
    await pack.report({ is: "outcome", id, do: "link-open", status: "done", player: steve });
    expect([await status, await linked()]).toEqual([202, { status: "pending" }]);
    expect(asked).not.toContain("names");
    const names = ask(side.base, "/whitelist", { headers: { "X-Service-Api-Key": ADMIN_KEY } });
    const read = await taken();
    asked = [];
    await pack.report(
      { is: "names", id: read.id, names: ["Alex"] },
      { is: "outcome", id: read.id, do: "allowlist-read", status: "done" },
    );
    expect((await names).json).toEqual(["Alex"]);
    expect(asked).toEqual(["names"]);
  });

  it("[ACT-14] of something else changes nothing for a link request, which its own still opens", async () => {
    const { id, status, linked } = await request();
    for (const other of ["chat", "allowlist-read", "link-close", "what nobody knows"])
      await pack.report({ is: "outcome", id, do: other, status: "done", player: steve });
    expect(await linked()).toEqual({ status: "not_linked" });
    expect((await ask(side.base, "/readyz")).status).toBe(200);
    await pack.report({ is: "outcome", id, do: "link-open", status: "done", player: steve });
    expect([await status, await linked()]).toEqual([202, { status: "pending" }]);
  });

  it("[ACT-14] of a link request opens none for a line, which its own still ends", async () => {
    const { id, socket } = await line();
    await pack.report({ is: "outcome", id, do: "link-open", status: "done", player: steve });
    expect(asked).not.toContain("change");
    expect(socket.unread()).toEqual([]);
    await pack.report({ is: "outcome", id, do: "chat", status: "failed", reason: "planted" });
    expect(await socket.next()).toMatchObject({ type: "EXCEPTION", content: "server unavailable" });
    await socket.close();
  });
});

describe("an outcome of an older pack, which does not say what it is of", () => {
  it("[ACT-14] ends a line, opens a link request and brings the names of the allowlist", async () => {
    const { id, socket } = await line();
    await pack.report({ is: "outcome", id, status: "failed", reason: "planted" });
    expect(await socket.next()).toMatchObject({ type: "EXCEPTION", content: "server unavailable" });
    await socket.close();
    const link = await request();
    await pack.report({ is: "outcome", id: link.id, status: "done", player: steve });
    expect([await link.status, await link.linked()]).toEqual([202, { status: "pending" }]);
    const names = ask(side.base, "/whitelist", { headers: { "X-Service-Api-Key": ADMIN_KEY } });
    const read = await taken();
    const outcome = { is: "outcome", id: read.id, status: "done" } as const;
    await pack.report({ is: "names", id: read.id, names: ["Alex"] }, outcome);
    expect((await names).json).toEqual(["Alex"]);
  });
});

it("[SESSION-7] knows what was lost with a game, and looks up nothing for lines", async () => {
  const { socket } = await line();
  await pack.connect("run after");
  await eventually(() => expect(socket.received.at(-1)).toMatchObject({ content: "server unavailable" }));
  expect(asked).not.toContain("names");
  expect(asked).not.toContain("sessionOf");
  await socket.close();
});
