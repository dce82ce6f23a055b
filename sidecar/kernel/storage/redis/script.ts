import { createHash } from "node:crypto";
import ends from "./lua/ends.lua";
import fence from "./lua/fence.lua";

/** The error for an answer of Redis that does not have its documented form. */
const unexpected = (expected: string, found: unknown): Error =>
  new Error(`Redis answered ${typeof found} where ${expected} was expected`);

export function listOf(reply: unknown): unknown[] {
  if (Array.isArray(reply)) return reply;
  throw unexpected("a list", reply);
}

export function textOf(reply: unknown): string {
  if (typeof reply === "string") return reply;
  throw unexpected("a text", reply);
}

export const textsOf = (reply: unknown): string[] => listOf(reply).map(textOf);

export const maybeText = (reply: unknown): string | undefined => (reply === null ? undefined : textOf(reply));

export function numberOf(reply: unknown): number {
  const number = Number(reply);
  if ((typeof reply === "number" || typeof reply === "string") && Number.isFinite(number)) return number;
  throw unexpected("a number", reply);
}

/** Pairs from a flat list of alternating names and values. */
export function pairsOf(reply: unknown): [string, string][] {
  const parts = textsOf(reply);
  return parts.flatMap((name, i) => (i % 2 === 0 ? [[name, parts[i + 1] ?? ""] as [string, string]] : []));
}

/** An entry of a stream. */
export interface RedisEntry {
  id: string;
  fields: ReadonlyMap<string, string>;
}

export const entriesOf = (reply: unknown): RedisEntry[] =>
  listOf(reply).map(entry => {
    const [id, fields] = listOf(entry);
    return { id: textOf(id), fields: new Map(pairsOf(fields)) };
  });

/** A Lua script that Redis runs atomically. */
export interface Script {
  source: string;
  /** SHA-1, by which it is called once loaded */
  hash: string;
  /** whether it has no effect under an expired lease */
  isFenced: boolean;
}

const all: Script[] = [];

/** All scripts. They are loaded on each new connection, so that concurrent calls keep their order. */
export const everyScript = (): readonly Script[] => all;

interface ScriptOptions {
  /** has no effect under an expired lease; its first key is that of the lease, its first value the token */
  isFenced?: boolean;
  /** may run on a full Redis: it needs little or no additional space */
  mayOverfill?: boolean;
}

function define(source: string, kind: ScriptOptions): Script {
  const { isFenced = false } = kind;
  const flags = kind.mayOverfill ? " flags=allow-oom" : "";
  const whole = `#!lua${flags}\n${isFenced ? fence : ""}${source}`;
  const defined = { source: whole, hash: createHash("sha1").update(whole).digest("hex"), isFenced };
  all.push(defined);
  return defined;
}

/** Defines a script. */
export const script = (source: string, kind: ScriptOptions = {}): Script => define(source, kind);

/** Defines a script that first drops the expired actions of the queue. */
export const queueScript = (source: string, kind: ScriptOptions = {}): Script =>
  define(`${ends}${source}`, kind);
