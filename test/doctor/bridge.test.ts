import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { Player } from "../../lab/simulator/simulator.ts";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { ask, newSession } from "../helpers/client.ts";
import { ADMIN_KEY } from "../helpers/sidecar.ts";
import { Fixture } from "./fixture.ts";

const fixture = new Fixture();
beforeAll(async () => {
  await fixture.make();
  await fixture.setUp();
  await fixture.startGame();
  await fixture.until(() => fixture.ready());
});
afterAll(() => fixture.remove());

const player = (): Player => {
  const world = fixture.game?.simulator.world;
  if (world === undefined) throw new Error("no game");
  return world.find("Steve Alex") ?? world.join("Steve Alex");
};

it("is well after set-up, with a pack that is connected", async () => {
  const findings = await fixture.doctor();
  expect(findings.filter(({ state }) => state === "problem")).toEqual([]);
  expect(findings.filter(({ state }) => state === "skipped")).toEqual([]);
  expect(findings.find(({ id }) => id === "pack-connected")?.state).toBe("ok");
  await fixture.until(
    () => fixture.game?.stdout.some(line => line.includes("[web bridge] connected")) === true,
  );
});

it("links a browser to a player of that server", async () => {
  const steve = player();
  const { cookie } = await newSession(fixture.base);
  const statusOf = async (): Promise<unknown> =>
    ((await ask(fixture.base, "/linked-player", { cookie })).json as { status: string }).status;
  await fixture.until(async () => (await ask(fixture.base, "/players")).text.includes(steve.name));
  const { status } = await ask(fixture.base, "/link-player", { cookie, body: { username: steve.name } });
  expect(status).toBe(202);
  await fixture.until(async () => {
    // On a busy machine the bridge may begin anew meanwhile, and then asks again.
    if (steve.form !== undefined) steve.answer(0);
    return (await statusOf()) === "accepted";
  });
});

it("carries chat both ways", async () => {
  const socket = await ChatSocket.open(fixture.base);
  player().say("hello web");
  expect(JSON.stringify(await socket.next())).toContain("hello web");
  socket.say("hello game");
  const chat = (): string => JSON.stringify(fixture.game?.simulator.world.chat);
  await fixture.until(() => chat().includes("hello game"));
  await socket.close();
});

it("puts a player on the allow list", async () => {
  const headers = { "X-Service-Api-Key": ADMIN_KEY };
  const answer = await ask(fixture.base, "/whitelist", { headers, body: { playerName: "NewOne" } });
  expect(answer).toMatchObject({ status: 202, json: { status: "whitelisted" } });
  expect(fixture.game?.simulator.world.allowList.names).toContain("NewOne");
});
