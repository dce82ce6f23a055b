import { afterAll, beforeAll, expect, it } from "vitest";
import type { Player } from "../../simulator/simulator.ts";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { ask, newSession } from "../helpers/client.ts";
import { ADMIN_KEY } from "../helpers/sidecar.ts";
import { Ward } from "./ward.ts";

const ward = new Ward();
beforeAll(async () => {
  await ward.make();
  await ward.setUp(`npm run setup -- --server "${ward.server}" --config "${ward.config}"`);
  await ward.startGame();
  await ward.until(() => ward.ready());
});
afterAll(() => ward.remove());

const player = (): Player => {
  const world = ward.game?.simulator.world;
  if (world === undefined) throw new Error("no game");
  return world.find("Steve Alex") ?? world.join("Steve Alex");
};

it("is well after set-up, with a pack that is connected", async () => {
  const findings = await ward.doctor();
  expect(findings.filter(({ state }) => state === "problem")).toEqual([]);
  expect(findings.filter(({ state }) => state === "skipped")).toEqual([]);
  expect(findings.find(({ id }) => id === "pack-connected")?.state).toBe("ok");
  await ward.until(() => ward.game?.stdout.some(line => line.includes("[web bridge] connected")) === true);
});

it("links a browser to a player of that server", async () => {
  const steve = player();
  const { cookie } = await newSession(ward.base);
  const statusOf = async (): Promise<unknown> =>
    ((await ask(ward.base, "/linked-player", { cookie })).json as { status: string }).status;
  await ward.until(async () => (await ask(ward.base, "/players")).text.includes(steve.name));
  const { status } = await ask(ward.base, "/link-player", { cookie, body: { username: steve.name } });
  expect(status).toBe(202);
  await ward.until(() => steve.form !== undefined);
  steve.answer(0);
  await ward.until(async () => (await statusOf()) === "accepted");
});

it("carries chat both ways", async () => {
  const socket = await ChatSocket.open(ward.base);
  player().say("hello web");
  expect(JSON.stringify(await socket.next())).toContain("hello web");
  socket.say("hello game");
  const chat = (): string => JSON.stringify(ward.game?.simulator.world.chat);
  await ward.until(() => chat().includes("hello game"));
  await socket.close();
});

it("puts a player on the allow list", async () => {
  const headers = { "X-Service-Api-Key": ADMIN_KEY };
  const answer = await ask(ward.base, "/whitelist", { headers, body: { playerName: "NewOne" } });
  expect(answer).toMatchObject({ status: 202, json: { status: "whitelisted" } });
  expect(ward.game?.simulator.world.allowList.names).toContain("NewOne");
});
