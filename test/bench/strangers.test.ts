import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { attack, filesOf } from "../../lab/bench/strangers/attack.ts";
import { ATTACKS, type AttackName } from "../../lab/bench/strangers/attacks.ts";
import { resultOf } from "../../lab/bench/strangers/result.ts";
import { createVisitor, type Seen } from "../../lab/bench/strangers/visitor.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { eventually, needs } from "../helpers/runner.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

// Own connections: asks the bridge listener for figures.

const seen = (more: Partial<Seen> = {}): Seen => ({
  status: [1],
  events: [2],
  connection: [3],
  chat: [4],
  missing: [],
  mb: 80,
  ...more,
});
/** Of 20 waits this one is the 19th, which the 95th percentile is. */
const p95Of = (ms: number): number[] => [...Array.from({ length: 18 }, () => 1), ms, 9_000];

describe("what another visitor notices of a stranger", () => {
  it("is shown as the 95th percentile and the worst of each wait, beside the same at rest", () => {
    const result = resultOf(seen(), seen({ chat: p95Of(12), mb: 123.4 }));
    expect(result.figure).toBe("status 1 (1), events 2 (2), new connection 3 (3), chat 12 (9000) ms; 123 MB");
    expect(result.reference).toBe(
      "at rest: status 1 (1), events 2 (2), new connection 3 (3), chat 4 (4) ms; 80 MB",
    );
    expect(result.values).toMatchObject({
      chatP95Ms: 12,
      chatWorstMs: 9_000,
      megabytes: 123.4,
      "rest-chatP95Ms": 4,
    });
  });

  it.each<[string, Partial<Seen>, boolean]>([
    ["250 ms for the status", { status: p95Of(250) }, true],
    ["251 ms for the status", { status: p95Of(251) }, false],
    ["251 ms for events", { events: p95Of(251) }, false],
    ["251 ms for a new connection", { connection: p95Of(251) }, false],
    ["a line 251 ms late", { chat: p95Of(251) }, false],
    ["300 MB", { mb: 300 }, true],
    ["301 MB", { mb: 301 }, false],
    ["one request that is answered otherwise", { missing: ["503"] }, false],
  ])("has a target for %s", (_what, more, ok) => {
    expect(resultOf(seen(), seen(more)).ok).toBe(ok);
  });

  it("names what came in the place of answers", () => {
    const { figure } = resultOf(seen(), seen({ missing: ["503", "503", "ECONNRESET"] }));
    expect(figure).toMatch(/; 3 answered otherwise: 503, ECONNRESET$/);
  });
});

let side: TestSidecar;
let pack: FakePack;
let end: (() => void) | undefined;
beforeEach(async () => {
  side = await startTestSidecar({
    webFiles: [
      { path: "index.html", content: Buffer.from('<script src="assets/main.js"></script>') },
      { path: "assets/main.js", content: Buffer.from("main") },
    ],
  });
  pack = new FakePack(side.bridge);
  await pack.connect();
  await pack.snapshot("Player 1");
});
afterEach(async () => {
  end?.();
  end = undefined;
  await side.stop();
});

it("a visitor counts each answer and each line, and the most memory", async () => {
  const sizes = [10, 30];
  let told: Promise<unknown> = Promise.resolve();
  const visitor = await createVisitor({
    base: side.base,
    // A pack reports one by one, however long the visitor waits.
    say: text => {
      told = told.then(() => pack.report({ is: "said", name: "Steve", text }));
    },
    memory: async () => sizes.shift() ?? 20,
  });
  end = visitor.end;
  // As long as it takes to ask 25 times, and on a busy machine still more than once.
  const found = await visitor.look(2_500);
  expect(found.missing).toEqual([]);
  const counts = [found.status, found.events, found.connection, found.chat].map(({ length }) => length);
  expect(new Set(counts).size).toBe(1);
  expect(counts[0]).toBeGreaterThan(1);
  expect(found.mb).toBe(30);
});

const figures = async (): Promise<string> => (await fetch(`${side.bridge}/metrics`)).text();

const answered = (route: string): RegExp =>
  new RegExp(`http_requests_total\\{route="${route}",status="200"\\} [1-9]`);

/** What the sidecar counts of each attack that it counts: it is no attack if it does not get that far. */
const NOTICED: Record<Exclude<AttackName, "idle" | "snapshots-unread">, RegExp> = {
  lists: answered("/events"),
  "lists-unread": answered("/events"),
  "lists-gzip": answered("/events"),
  streams: answered("/events"),
  chat: /chat_from_web_total\{answer="[a-z ]+"\} [1-9]/,
  links: /outbox_actions [1-9]/,
  "over-rate": answered("/server"),
  resets: /websocket_refused_total\{reason="not_found"\} [1-9]/,
  "files-unread": answered("/assets/main.js"),
  "six-unread": answered("/events"),
};

// Elsewhere the loopback has one address.
needs("Linux", process.platform === "linux").describe("a stranger", () => {
  it.each(Object.entries(NOTICED) as [AttackName, RegExp][])(
    "gets through to the sidecar: %s",
    async (name, noticed) => {
      end = attack(side.base, await filesOf(side.base), ATTACKS[name], 2);
      await eventually(async () => expect(await figures()).toMatch(noticed));
    },
  );
});
