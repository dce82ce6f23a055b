import { describe, expect, it } from "@jest/globals";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { EXAMPLES } from "../sidecar/features/docs/examples.ts";
import { declared, schemasFor } from "../sidecar/features/docs/schemas.ts";
import type { Guard } from "./guard.ts";
import { feedEvent } from "./public/events.ts";
import type { SchemaGuard } from "./public/schema-guards.ts";

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema({
  $id: "/all",
  components: { schemas: { ...schemasFor("java"), FeedEvent: feedEvent.schema } },
});

const PLAYER = { name: "Steve", uuid: "25f6be79-78bb-5d2a-9d14-dde1a1ccd90a" };
const STORED: unknown[] = [
  { event: "chat", at: 1, from: "game", content: "§§<Steve> §§hi", player: PLAYER },
  { event: "chat", at: 1, from: "web", content: "hi", label: "kxwtmhzr" },
  { event: "join", at: 1, player: PLAYER },
  { event: "death", at: 1, player: PLAYER, killer: PLAYER },
  { event: "server", at: 1, state: "away" },
];

/** The value, and the same with something else at each of its places, or nothing. */
function spoiled(value: unknown): unknown[] {
  const others = [null, "", " ", "other", 0, -2, 0.5, 1e6, true, [], {}];
  if (typeof value !== "object" || value === null) return others;
  if (Array.isArray(value))
    return [...others, ...value.flatMap((one, i) => spoiled(one).map(it => value.with(i, it)))];
  return [
    ...others,
    ...Object.entries(value).flatMap(([key, inner]) => {
      const { [key]: _gone, ...rest } = value as Record<string, unknown>;
      return [rest, ...spoiled(inner).map(it => ({ ...value, [key]: it }))];
    }),
  ];
}

/** Everything about which a guard and the schema of this name do not agree. */
function disagreements(guard: Guard<unknown>, name: string, values: unknown[]): unknown[] {
  const validate = ajv.compile({ $ref: `/all#/components/schemas/${name}` });
  return values
    .flatMap(value => [value, ...spoiled(value)])
    .filter(value => validate(value) !== (guard(value) === undefined));
}

describe("the declarations of public messages", () => {
  const all: Record<string, SchemaGuard<never> | SchemaGuard<unknown>> = declared("java");
  it.each(Object.entries(EXAMPLES))(
    "has a guard that takes what the schema takes, and nothing else: %s",
    (name, guard) => {
      const values = Object.values(guard).map(({ value }) => value);
      expect(values.filter(value => all[name]?.(value) !== undefined)).toEqual([]);
      expect(disagreements(all[name] as Guard<unknown>, name, values)).toEqual([]);
    },
  );

  it("have a guard that accepts events as stored, and nothing else", () => {
    expect(STORED.filter(value => feedEvent(value) !== undefined)).toEqual([]);
    expect(disagreements(feedEvent, "FeedEvent", STORED)).toEqual([]);
  });

  it("name the path of an error", () => {
    expect(feedEvent({ event: "join", at: 1, player: { ...PLAYER, uuid: "u" } })).toContain(
      "body.player.uuid: expected",
    );
    expect(feedEvent({ event: "leap", at: 1 })).toBe(
      "body.event: expected one of chat, join, leave, death, server",
    );
  });

  it("ignore properties that another version has stored", () => {
    expect(feedEvent({ event: "server", at: 1, state: "online", more: 1 })).toBeUndefined();
  });
});
