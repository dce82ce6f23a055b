import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { UNLIMITED } from "../../../lab/scale/unlimited.ts";
import type { Fact } from "../../../shared/facts.ts";
import { BRIDGE_ERRORS, PATHS } from "../../../shared/frames.ts";
import { hello, row } from "../../../test/helpers/fake-pack.ts";
import { bytesOf, SESSION, serving } from "../../../test/helpers/serving.ts";
import { ADMIN_KEY } from "../../../test/helpers/sidecar.ts";
import { callsOf } from "../../features/docs/words.ts";
import { openApi } from "../../routes.ts";

const side = serving();
const HEADERS = { ...SESSION, "X-Service-Api-Key": ADMIN_KEY };

/** A copy of a JSON value in which one node, by its number in document order, is another value. */
function replaced(value: unknown, place: number, odd: unknown): unknown {
  let left = place;
  const copied = (each: unknown): unknown => {
    if (left-- === 0) return odd;
    if (Array.isArray(each)) return each.map(copied);
    if (typeof each !== "object" || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([key, inner]) => [key, copied(inner)]));
  };
  return copied(value);
}

const oddValue = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom("\ud800", "\0", "\u202e", "§k", "__proto__", "x".repeat(20_000), 2 ** 53, 1e308, -0),
);
const oddCopyOf = (sound: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(sound, fc.nat(12), oddValue).map(([value, place, odd]) => replaced(value, place, odd));

/** Texts as bytes, with up to six random removals and insertions. */
const damaged = (sound: readonly string[]): fc.Arbitrary<string> => {
  const token = fc.constantFrom("\0", "\r\n", "\n", " ", ":", "%", "\xff", "\xc0\x80", "chunked", "HTTP/9.9");
  const insert = fc.oneof(token, fc.string({ unit: "binary-ascii", maxLength: 4 }));
  const fault = fc.record({ at: fc.nat(1_000), take: fc.nat(12), insert });
  return fc
    .tuple(fc.constantFrom(...sound), fc.array(fault, { minLength: 1, maxLength: 6 }))
    .map(([text, faults]) =>
      faults.reduce((now, { at, take, insert }) => {
        const from = at % (now.length + 1);
        return now.slice(0, from) + insert + now.slice(from + take);
      }, text),
    );
};

/** What no response may contain. */
const LEAK = new RegExp(`${ADMIN_KEY}|\\bat \\S+ \\(|node:internal|node_modules`);

/** Whether the service is healthy, and has logged no internal error. */
async function expectHealth(): Promise<void> {
  expect((await side.ask("/healthz")).status).toBe(200);
  expect(side.log.of("error")).toEqual([]);
}

it("every described call responds to random parameters and bodies as described, and never with 500", async () => {
  await side.start({ env: UNLIMITED });
  const described = callsOf(openApi(side.config.modules.api))
    // These two stay open.
    .filter(({ path }) => path !== "/chat" && path !== "/events")
    .map(({ method, path, operation: { parameters = [], requestBody } }) => {
      const [example] = Object.values(requestBody?.content["application/json"].examples ?? {});
      return { method, path, parameters, body: example?.value };
    });
  const text = fc.oneof(
    fc.constantFrom("", "%", "\xe9", "0", "-1"),
    fc.string({ unit: "grapheme", maxLength: 20 }),
  );
  const call = fc.constantFrom(...described).chain(({ method, path, parameters, body }) =>
    fc.record({
      method: fc.constant(method),
      path: fc.array(text, { minLength: parameters.length, maxLength: parameters.length }).map(values => {
        const odd = parameters.map(({ in: where, name }, i) => ({
          where,
          name,
          value: encodeURIComponent(values[i] ?? ""),
        }));
        const query = odd
          .filter(({ where }) => where === "query")
          .map(({ name, value }) => `${name}=${value}`);
        return `${odd.reduce((all, { name, value }) => all.replace(`{${name}}`, () => value || "x"), path)}?${query.join("&")}`;
      }),
      body: body === undefined ? fc.constant(undefined) : oddCopyOf(fc.constant(body)),
    }),
  );
  await fc.assert(
    fc.asyncProperty(call, async ({ method, path, body }) => {
      const answer = await side.ask(path, { method, headers: HEADERS, ...(body !== undefined && { body }) });
      expect([answer.status, answer.text]).not.toEqual([500, expect.anything()]);
      expect(answer.text).not.toMatch(LEAK);
    }),
    { numRuns: 400 },
  );
  await expectHealth();
});

it("malformed HTTP gets an error or a closed connection, and the service continues", async () => {
  await side.start({ env: UNLIMITED });
  const post = `${bytesOf("POST /link-player", "Content-Type: application/json", "Content-Length: 20")}{"username":"Steve"}`;
  const chat = [
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  const frame = '\x81\x8f\0\0\0\0{"type":"PING"}';
  const sound = [
    bytesOf("GET /status"),
    bytesOf("GET /status").repeat(5),
    post,
    bytesOf("GET /chat", ...chat) + frame.repeat(3),
  ];
  await fc.assert(
    fc.asyncProperty(damaged(sound), async bytes => {
      // Otherwise its address would be blocked.
      side.clock.advance(10_000);
      const wire = side.wire(bytes);
      wire.socket.end();
      const got = await wire.ended();
      expect(got === "" || got.startsWith("HTTP/1.1 ")).toBe(true);
      expect(wire.statuses()).not.toContain("500");
      expect(got).not.toMatch(LEAK);
    }),
    { numRuns: 400 },
  );
  await expectHealth();
});

it("malformed messages of a game are rejected as described, and the next valid one is accepted", async () => {
  await side.start({ env: UNLIMITED }, ["Steve"]);
  const facts: Fact[] = [
    { is: "joined", row: row("Alex") },
    { is: "left", id: "-Alex" },
    { is: "said", name: "§bSteve", text: "hello §kthere" },
    { is: "answered", request: "00000000-0000-4000-8000-000000000000", accepted: true },
    { is: "snapshot", tps: 20, part: 0, parts: 1, rows: [row("Steve")] },
    { is: "outcome", id: "x", do: "link-open", status: "done" },
  ];
  const { session } = side.pack;
  const message = fc.oneof(
    fc.tuple(
      fc.constant(PATHS.facts),
      oddCopyOf(
        fc.constantFrom(...facts).map(fact => ({ session, after: 0, first: 2 ** 40, facts: [fact] })),
      ),
    ),
    fc.tuple(fc.constant(PATHS.poll), oddCopyOf(fc.constant({ session: "nobody", after: 0 }))),
    fc.tuple(
      fc.constant(PATHS.hello),
      fc.tuple(fc.nat(4), oddValue).map(([place, odd]) => replaced(hello(""), place, odd)),
    ),
  );
  await fc.assert(
    fc.asyncProperty(message, async ([path, body]) => {
      const reply = await side.pack.post<{ error?: string }>(path, body);
      const codes: Readonly<Record<string, number>> = BRIDGE_ERRORS;
      if (reply.status !== 200) expect(codes[reply.body.error ?? ""]).toBe(reply.status);
    }),
    { numRuns: 400 },
  );
  await side.pack.connect("next");
  side.pack.seq = 1;
  expect((await side.pack.snapshot("Steve")).status).toBe(200);
  await expectHealth();
});
