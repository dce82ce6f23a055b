import { describe, expect, it } from "@jest/globals";
import { seededRandom } from "../../../lab/simulator/random.ts";
import { askLine, frameLine } from "../../../shared/console-link/frames.ts";
import { LossyConsole } from "./testing/lossy-console.ts";

const FAULTS = {
  ...{ lost: 0.15, doubled: 0.1, late: 0.1, cut: 0.05, mixed: 0.05, nul: 0.1 },
  ...{ typedLost: 0.2, typedDoubled: 0.1 },
};
const REQUESTS = 40;
const MAX_TICKS = 10_000;

/** What both ends of an exchange have sent and received. */
interface Exchange {
  sent: string[];
  received: string[];
  answers: string[];
  failed: string[];
}

/** Lets the pack send requests, each of which launch answers with its own body. */
async function exchange(console: LossyConsole, random: () => number, reloadAfter = -1): Promise<Exchange> {
  const all: Exchange = { sent: [], received: [], answers: [], failed: [] };
  const { sent, received, answers, failed } = all;
  let seen = 0;
  for (let tick = 0; tick < MAX_TICKS && answers.length + failed.length < REQUESTS; tick++) {
    const opened = console.pack.http.open();
    if (sent.length < REQUESTS && opened !== undefined && "value" in opened && random() < 0.2) {
      const body = `{"number":${sent.length},"text":"${"ü".repeat(Math.floor(random() * 800))}"}`;
      sent.push(body);
      opened.value.post("/bridge/facts", body, 5).then(
        answer => answers.push(answer.body),
        () => failed.push(body),
      );
      if (sent.length === reloadAfter) {
        failed.push(...sent.filter(each => !answers.includes(each)));
        console.reload();
      }
    }
    console.tick();
    for (const { message, reply } of console.received.slice(seen)) {
      seen++;
      if (message.is === "ready") console.send({ is: "settings", url: "http://127.0.0.1:8081" });
      if (message.is !== "request") continue;
      const body = JSON.stringify(JSON.parse(message.body));
      received.push(body);
      reply({ is: "answer", id: message.id, status: 200, body });
    }
    await Promise.resolve();
  }
  expect(sent).toHaveLength(REQUESTS);
  return all;
}

describe("the console link over a console that loses, doubles, delays, cuts and mixes lines, and loses and doubles commands", () => {
  it("delivers every message once and in order, and prints none", async () => {
    for (let seed = 0; seed < 60; seed++) {
      const console = new LossyConsole({ seed, ...FAULTS });
      const { sent, received, answers, failed } = await exchange(console, seededRandom(seed + 100));
      expect({ seed, received, failed }).toEqual({ seed, received: sent, failed: [] });
      expect(answers).toEqual(sent);
      expect(console.printed).not.toMatch(/k[0-9a-f]{20}|\{/);
    }
  });

  it("[CONSOLE-8] gives an earlier run's messages to nobody after /reload", async () => {
    for (let seed = 0; seed < 30; seed++) {
      const console = new LossyConsole({ seed, ...FAULTS });
      const { sent, received, answers, failed } = await exchange(console, seededRandom(seed), 20);
      const [before, after] = [sent.slice(0, 20), sent.slice(20)];
      expect(received.slice(-20)).toEqual(after);
      expect(received.slice(0, -20)).toEqual(before.slice(0, received.length - 20));
      expect([...answers, ...failed].sort()).toEqual([...sent].sort());
    }
  });
});

describe("the console link", () => {
  /** A console whose pack has its key, and all words that launch has typed until then. */
  function opened(): LossyConsole {
    const console = new LossyConsole({ seed: 1 });
    for (let i = 0; i < 10; i++) console.tick();
    expect(console.received.map(({ message }) => message.is)).toEqual(["ready"]);
    return console;
  }

  it("stays with the pack that has its key when others ask, again or with another id", async () => {
    const console = opened();
    const asked = console.scriptLines.filter(line => line.includes("not connected"));
    for (const line of [...asked, askLine("forged1"), askLine("forged2")]) console.print(line);
    const { sent, answers } = await exchange(console, seededRandom(5));
    expect(answers).toEqual(sent);
    expect(console.received.filter(({ message }) => message.is === "ready")).toHaveLength(1);
  });

  it("answers a flood of askings a few times a second", () => {
    const console = opened();
    const before = console.typed.length;
    for (let i = 0; i < 2_000; i++) console.print(askLine(`forged${i}`));
    for (let i = 0; i < 20; i++) console.tick();
    expect(console.typed.length - before).toBeLessThan(20);
  });

  it("[CONSOLE-6] types nothing more once the pack has acknowledged nothing for a minute", () => {
    const console = opened();
    const settings = { is: "settings", url: "http://127.0.0.1:8081" } as const;
    console.send(settings);
    for (let i = 0; i < 1_300; i++) console.clock.advance(50);
    const before = console.typed.length;
    console.send(settings);
    for (let i = 0; i < 1_300; i++) console.clock.advance(50);
    expect(console.typed).toHaveLength(before);
  });

  it("prints a frame with a key that it did not give", () => {
    const console = opened();
    const line = frameLine("k0123456789abcdef0123", { seq: 1, ack: 0, isLast: true, payload: "ready" });
    console.print(line);
    console.tick();
    expect(console.printed).toContain(line);
    expect(console.received).toHaveLength(1);
  });
});
