import { describe, expect, it } from "@jest/globals";
import { actionBody } from "./actions.ts";
import { fact } from "./facts.ts";
import { delivery, helloAnswer } from "./frames.ts";
import { bool, check, int, list, num, object, oneOf, optional, record, tagged, text } from "./guard.ts";
import { factsFrame, hello, poll } from "./requests.ts";

const player = { id: "-1", persistentId: "p", name: "Steve" };
const row = { player, health: 20, deaths: 0, playerKills: 0, playtimeSeconds: 0 };

describe("guards", () => {
  it.each([
    ["text over its length", text(3), "abcd", "body: expected text of at most 3 characters"],
    ["text under its length", text(3, 1), "", "body: expected text of 1 to 3 characters"],
    ["a number as text", text(3), 1, "body: expected text of at most 3 characters"],
    ["a fraction", int(0, 9), 1.5, "body: expected a whole number from 0 to 9"],
    ["a number out of range", num(0, 20), 20.1, "body: expected a number from 0 to 20"],
    ["NaN", num(0, 20), Number.NaN, "body: expected a number from 0 to 20"],
    ["a number as boolean", bool, 0, "body: expected true or false"],
    ["another word", oneOf("a", "b"), "c", "body: expected one of a, b"],
    ["null as object", object({}), null, "body: expected an object"],
    ["an array as object", object({}), [], "body: expected an object"],
    ["an object as list", list(bool, 2), {}, "body: expected a list of at most 2"],
    ["a list over its length", list(bool, 1), [true, true], "body: expected a list of at most 1"],
    [
      "a mistake deep inside",
      object({ a: list(object({ b: bool }), 9) }),
      { a: [{ b: true }, { b: 1 }] },
      "body.a[1].b: expected true or false",
    ],
    ["a list as record", record(bool, 1), [], "body: expected an object"],
    ["too many properties", record(bool, 1), { a: true, b: true }, "body: expected at most 1 properties"],
    ["a wrong property", record(bool, 1), { a: 1 }, "body.a: expected true or false"],
    ["an unknown tag", tagged("is", { a: object({}) }), { is: "b" }, "body.is: expected one of a"],
    [
      "a tag named like a member of Object.prototype",
      tagged("is", { a: object({}) }),
      { is: "constructor" },
      "body.is: expected one of a",
    ],
    [
      "null for an optional property",
      object({ a: optional(bool) }),
      { a: null },
      "body.a: expected true or false",
    ],
  ])("reject %s and name the place", (_what, guard, value, message) => {
    expect(guard(value)).toBe(message);
  });

  it("[HTTP-4] accept a missing optional property and unknown properties", () => {
    expect(object({ a: optional(bool) })({ b: 1 })).toBeUndefined();
  });

  it("return the checked value itself, or the fault", () => {
    const value: unknown = { a: true };
    expect(check(object({ a: bool }), value)).toEqual({ value });
    expect(check(object({ a: text(1) }), value)).toEqual({
      fault: "body.a: expected text of at most 1 characters",
    });
  });
});

const bodies: Record<string, object> = {
  chat: { text: "hi" },
  tell: { message: "api.unlinked" },
  "link-open": { request: "r", username: "Steve", browser: "0123abcd", openForMs: 1 },
  "link-close": { request: "r" },
  "allowlist-read": {},
  "allowlist-add": { name: "Steve" },
};
const facts: Record<string, object> = {
  joined: { row },
  left: { id: "-1" },
  said: { name: "Steve", text: "hi" },
  answered: { request: "r", accepted: true },
  "unlinked-by-player": { player },
  webchat: {},
  mute: { browser: "0123abcd", isMuted: true },
  snapshot: { tps: 20, part: 0, parts: 1, rows: [row] },
  names: { id: "a", names: ["Steve"] },
  outcome: { id: "a", status: "done" },
};
const action = { seq: 1, id: "a", expiresInMs: 1, body: { do: "chat", text: "hi" } };
const versions = { product: "0.1.0", wire: 1, wireOldest: 1 };
const texts = { "api.link-accept": "a" };
const languages = [{ locale: "de_DE", texts }];
const want = { request: "r", browser: "0123abcd", openForMs: 1, open: true };

const messages: [string, (value: unknown) => string | undefined, Record<string, unknown>][] = [
  ...Object.entries(bodies).map(
    ([name, body]) => [`action ${name}`, actionBody, { do: name, ...body }] as (typeof messages)[number],
  ),
  ...Object.entries(facts).map(
    ([name, body]) => [`fact ${name}`, fact, { is: name, ...body }] as (typeof messages)[number],
  ),
  ["hello", hello, { ...versions, run: "run", firstFact: 1 }],
  [
    "answer to hello",
    helloAnswer,
    { ...versions, session: "s", refreshMs: 5000, linkForm: "chest", texts, languages, links: [want] },
  ],
  ["poll", poll, { session: "s", after: 0 }],
  ["facts", factsFrame, { session: "s", after: 0, first: 1, facts: [{ is: "left", id: "-1" }] }],
  ["delivery", delivery, { actions: [action], received: 0 }],
];

describe.each(messages)("the message %s", (_name, guard, valid) => {
  it("is accepted if valid", () => {
    expect(guard(valid)).toBeUndefined();
  });

  it("is rejected without any one of its properties", () => {
    for (const key of Object.keys(valid)) {
      const { [key]: _left, ...rest } = valid;
      expect([key, guard(rest)]).toEqual([key, expect.stringMatching(`body.${key}: expected`)]);
    }
  });

  it("is rejected with a wrong type in any one of its properties", () => {
    for (const key of Object.keys(valid))
      expect([key, guard({ ...valid, [key]: null })]).toEqual([key, expect.stringMatching(/^body\./)]);
  });

  it("[LIMIT-1] is rejected with a text that is too long", () => {
    for (const [key, value] of Object.entries(valid))
      if (typeof value === "string")
        expect([key, guard({ ...valid, [key]: "x".repeat(5_000) })]).toEqual([
          key,
          expect.stringMatching(key),
        ]);
  });

  it("cannot be made valid by a prototype in the JSON", () => {
    const { ...copy } = valid;
    expect(guard(JSON.parse(`{"__proto__":${JSON.stringify(copy)}}`))).toMatch(/^body/);
  });
});

describe("a value set by an operator", () => {
  it.each<[string, (value: unknown) => string | undefined, object]>([
    ["the mode", fact, { is: "webchat", by: player, mode: "read-only" }],
    ["a mute", fact, { is: "mute", by: player, browser: "--------", isMuted: false }],
    [
      "an answer",
      actionBody,
      { do: "tell", player, message: "bridge.muted", values: { browser: "--------" } },
    ],
  ])("is checked wherever it occurs: %s", (_what, guard, valid) => {
    expect(guard(valid)).toBeUndefined();
    for (const key of Object.keys(valid))
      expect([key, guard({ ...valid, [key]: { id: 1 } })]).toEqual([
        key,
        expect.stringMatching(`body.${key}`),
      ]);
  });
});
