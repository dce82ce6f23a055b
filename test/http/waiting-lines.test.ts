import { expect, it } from "@jest/globals";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { ManualClock } from "../helpers/clock.ts";
import { memoryFeedLog } from "../helpers/feed-log.ts";
import { eventually } from "../helpers/runner.ts";
import { startTestSidecar } from "../helpers/sidecar.ts";

const MOST_LINES = 1_000;
const limits =
  "messages-burst: 2000, messages-per-minute-per-address: 10000, chat-lines-burst: 2000, chat-lines-per-second: 1000";

it("hands the lines of a socket on together, and answers a PING behind them once they have their places", async () => {
  const clock = new ManualClock();
  const feedLog = memoryFeedLog(clock);
  let letGo = (): void => undefined;
  const gate = new Promise<void>(resolve => {
    letGo = resolve;
  });
  let handed = 0;
  const side = await startTestSidecar({
    clock,
    feedLog: {
      ...feedLog,
      tell(entries) {
        handed += entries.length;
        return gate.then(() => feedLog.tell(entries));
      },
    },
  });
  const speaker = await ChatSocket.open(side.base);
  for (const line of ["one", "two", "three"]) speaker.say(line);
  speaker.send({ type: "PING" });
  await eventually(() => expect(handed).toBe(3));
  const before = speaker.received.length;
  letGo();
  await eventually(() => expect(speaker.received.at(-1)?.type).toBe("PONG"));
  // There is no game.
  const types = speaker.received.slice(before).map(({ type }) => type);
  expect(types).toEqual(["EXCEPTION", "EXCEPTION", "EXCEPTION", "PONG"]);
  speaker.ws.terminate();
  await side.stop();
});

it("refuses a line where 1,000 wait for a storage that is slow, and takes lines again once they have gone on", async () => {
  const clock = new ManualClock();
  const feedLog = memoryFeedLog(clock);
  let letGo = (): void => undefined;
  const gate = new Promise<void>(resolve => {
    letGo = resolve;
  });
  const side = await startTestSidecar({
    clock,
    feedLog: { ...feedLog, tell: entries => gate.then(() => feedLog.tell(entries)) },
    yaml: `modules: {api: {limits: {${limits}}}}`,
  });
  const [speaker, other] = [await ChatSocket.open(side.base), await ChatSocket.open(side.base)];
  const told = (): number => other.received.filter(({ type }) => type === "CHAT").length;
  const refused = (): number => speaker.received.filter(({ type }) => type === "EXCEPTION").length;
  for (let i = 0; i <= MOST_LINES; i++) speaker.say(`line ${i}`);
  await eventually(() => expect(refused()).toBe(1));
  expect(speaker.received.at(-1)).toMatchObject({ content: "server unavailable" });
  letGo();
  await eventually(() => expect(told()).toBe(MOST_LINES));
  speaker.say("one more");
  await eventually(() => expect(told()).toBe(MOST_LINES + 1));
  speaker.ws.terminate();
  other.ws.terminate();
  await side.stop();
});
