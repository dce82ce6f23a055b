import { describe, expect, it } from "@jest/globals";
import { LossyConsole, randomOf } from "./testing/lossy-console.ts";

const SEEDS = Array.from({ length: 40 }, (_, seed) => seed);
const FAULTS = { lost: 0.2, doubled: 0.1, late: 0.1, torn: 0.05 };

/** Lets the pack send requests, which launch answers, for some ticks and then until all are answered. */
async function exchange(console: LossyConsole, ticks: number, random: () => number, reloadAt = -1) {
  const sent: string[] = [];
  const answers: { body: string; answer: string }[] = [];
  const failed: string[] = [];
  let seen = 0;
  let open = 0;
  for (let tick = 0; tick < ticks + 4_000; tick++) {
    if (tick === reloadAt) {
      console.reload();
      open = 0;
    }
    const opened = console.pack.http.open();
    if (tick < ticks && opened !== undefined && "value" in opened && random() < 0.2) {
      const body = `{"number":${sent.length},"text":"${"ü".repeat(Math.floor(random() * 2_000))}"}`;
      sent.push(body);
      open++;
      opened.value.post("/bridge/facts", body, 5).then(
        answer => {
          open--;
          answers.push({ body, answer: answer.body });
        },
        () => failed.push(body),
      );
    }
    console.tick();
    for (; seen < console.received.length; seen++) {
      const { message, reply } = console.received[seen] ?? { message: undefined, reply: () => undefined };
      if (message?.is === "ready") console.send({ is: "settings", url: "http://127.0.0.1:8081" });
      if (message?.is === "request") reply({ is: "answer", id: message.id, status: 200, body: message.body });
    }
    await Promise.resolve();
    if (tick > ticks && open === 0) break;
  }
  const bodies = console.received.flatMap(({ message }) => (message.is === "request" ? [message.body] : []));
  return { sent, bodies: bodies.map(body => JSON.stringify(JSON.parse(body))), answers, failed };
}

describe("the console link over a console with faults", () => {
  it.each(SEEDS)("loses, doubles and mixes no message, and prints none (seed %i)", async seed => {
    const console = new LossyConsole(seed, FAULTS);
    const { sent, bodies, answers, failed } = await exchange(console, 300, randomOf(seed + 100));
    expect(sent.length).toBeGreaterThan(20);
    expect(bodies).toEqual(sent);
    expect(answers.map(({ body }) => body).sort()).toEqual([...sent].sort());
    for (const { body, answer } of answers) expect(JSON.parse(answer)).toEqual(JSON.parse(body));
    expect(failed).toEqual([]);
    expect(console.printed.replace(/\[2026[^\n]*Scripting\] [^k]*$/gm, "")).not.toMatch(/k[0-9a-f]{20}/);
  });

  it.each(SEEDS.slice(0, 10))(
    "starts afresh after /reload, without messages of the earlier run (seed %i)",
    async seed => {
      const console = new LossyConsole(seed, FAULTS);
      const { sent, bodies, answers } = await exchange(console, 300, randomOf(seed), 120);
      expect(new Set(bodies).size).toBe(bodies.length);
      expect(bodies.filter(body => !sent.includes(body))).toEqual([]);
      const last = sent.slice(-5);
      expect(bodies.slice(-5)).toEqual(last);
      expect(
        answers
          .slice(-5)
          .map(({ body }) => body)
          .sort(),
      ).toEqual([...last].sort());
    },
  );
});
