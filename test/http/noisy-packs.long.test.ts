import { beforeEach, describe, expect, it } from "@jest/globals";
import { MAX_BODY_BYTES, MAX_FACTS } from "../../shared/limits.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { bytesOf, serving, type Wire } from "../helpers/serving.ts";
import { ADMIN_KEY, TOKEN } from "../helpers/sidecar.ts";

const SECOND = "another-token-of-the-bridge-0123456789";
const side = serving();
const { pack: noisy } = side;
const other = new FakePack(() => side.bridge, SECOND);
const malformed = (): unknown[] =>
  side.log.lines.filter(({ message }) => message.includes("malformed")).map(({ fields }) => fields);

beforeEach(async () => {
  await side.start({ yaml: `servers: [{name: survival, token: "${SECOND}"}]` });
  other.seq = 1;
  await noisy.connect("noisy");
  await noisy.snapshot("Mallory");
  await other.connect("other");
  await other.snapshot("Steve");
});

/** Reads the list of the other game server, whose pack answers; the names. */
async function listOf(names: string[]): Promise<unknown> {
  const asked = side.ask("/servers/survival/whitelist", { headers: { "X-Service-Api-Key": ADMIN_KEY } });
  const [action] = await other.take();
  const id = action?.id ?? "";
  await other.report({ is: "names", id, names }, { is: "outcome", id, do: "allowlist-read", status: "done" });
  return (await asked).json;
}

describe("a game server that", () => {
  it("[LIMIT-5] opens connections without end leaves another one its own, and room for more", async () => {
    const { port } = side.sidecar.bridgeAddress;
    const held = other.take();
    await side.quiet();
    const wires: Wire[] = [];
    for (let i = 0; i < 100; i++) {
      const wire = side.wire(bytesOf("GET /bridge/status", `Authorization: ${TOKEN}`), port);
      wires.push(wire);
      await Promise.race([wire.until("200 OK"), wire.ended()]).catch(() => undefined);
    }
    expect(side.sidecar.connections().bridgeConnections).toBeLessThanOrEqual(34);
    await other.snapshot("Steve", "Alex");
    expect((await side.ask("/servers/survival/players")).json).toHaveLength(2);
    const asked = side.ask("/servers/survival/whitelist", { headers: { "X-Service-Api-Key": ADMIN_KEY } });
    const [action] = await held;
    await other.report({ is: "outcome", id: action?.id ?? "", do: "allowlist-read", status: "failed" });
    expect((await asked).status).toBe(500);
    // Whoever has not shown a token goes for those who do.
    expect((await noisy.snapshot("Mallory")).status).toBe(200);
  });

  it("[LIMIT-5] sends what is malformed hides nothing of that by another one, and is named", async () => {
    for (let i = 0; i < 50; i++) await noisy.post("/bridge/facts", "{");
    expect(malformed()).toHaveLength(20);
    await other.post("/bridge/facts", "{");
    expect(malformed().slice(-2)).toMatchObject([{ server: "main" }, { server: "survival" }]);
  });

  it.each(["/bridge/status", "/metrics", "/readyz"])(
    "asks for %s has it behind what it has asked before, and another one at once",
    async path => {
      const { port } = side.sidecar.bridgeAddress;
      const asks = (token: string, line = `GET ${path}`, ...more: string[]): Wire =>
        side.wire(bytesOf(line, `Authorization: ${token}`, ...more), port);
      const before = asks(TOKEN, "POST /bridge/facts", "Content-Length: 2");
      await side.quiet();
      const own = asks(TOKEN);
      await asks(SECOND).until("200 OK");
      await side.quiet();
      expect(own.got()).toBe("");
      before.write("{}");
      await own.until("200 OK");
    },
  );

  it("sends bodies of 512 KB is refused, and has another one wait for none of them", async () => {
    const body = JSON.stringify({ session: noisy.session, facts: "x".repeat(512 * 1024) });
    const sent = Array.from({ length: 20 }, () =>
      noisy.post("/bridge/facts", body).then(
        ({ status }) => status,
        () => 413,
      ),
    );
    expect(await listOf(["Noor"])).toEqual(["Noor"]);
    expect(new Set(await Promise.all(sent))).toEqual(new Set([413]));
  });

  it("tells as much as it can has another one wait for what it has sent at the same time, and no longer", async () => {
    const LOOPS = 16;
    let answered = 0;
    let isOver = false;
    const text = "x".repeat(MAX_BODY_BYTES / MAX_FACTS - 100);
    const facts = Array.from({ length: MAX_FACTS }, () => ({ is: "said", name: "Mallory", text }));
    const loops = Array.from({ length: LOOPS }, async () => {
      while (!isOver) {
        const frame = { session: noisy.session, after: 0, first: noisy.seq, facts };
        noisy.seq += MAX_FACTS;
        const { status } = await noisy.post("/bridge/facts", frame);
        expect(status).toBe(200);
        answered++;
      }
    });
    while (answered < LOOPS) await side.quiet();
    const before = answered;
    expect(await listOf(["Noor"])).toEqual(["Noor"]);
    const meanwhile = answered - before;
    isOver = true;
    await Promise.all(loops);
    // The question, the poll and the report are three requests, each of which comes with what is under way already.
    expect(meanwhile).toBeLessThanOrEqual(6 * LOOPS);
  });
});
