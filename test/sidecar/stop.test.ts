import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { expect, it } from "@jest/globals";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { startTestSidecar, TOKEN } from "../helpers/sidecar.ts";

it("[FACT-14] lets no line reach nobody that it takes while it stops", async () => {
  const side = await startTestSidecar();
  const pack = new FakePack(side.bridge);
  await pack.connect();
  const socket = await ChatSocket.open(side.base);
  const facts = [{ is: "said", name: "Steve", text: "one moment" }];
  const body = JSON.stringify({ session: pack.session, after: 0, first: 1, facts });
  const headers = { Authorization: TOKEN, "Content-Type": "application/json", Expect: "100-continue" };
  const sending = request(`${side.bridge}/bridge/facts`, { method: "POST", headers, agent: false });
  sending.flushHeaders();
  await once(sending, "continue");

  const stopped = side.sidecar.stop();
  sending.end(body);
  const [answer] = (await once(sending, "response")) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  answer.resume();
  const pump = setInterval(() => side.clock.advance(50), 1);
  expect(await socket.closed).toBe(1001);
  expect(socket.unread()).toMatchObject([{ type: "CHAT", content: "§§<Steve> §§one moment" }]);
  await stopped;
  clearInterval(pump);
});
