import { createHash } from "node:crypto";
import ends from "./lua/ends.lua";
import fence from "./lua/fence.lua";

/** An answer of Redis that does not have the form that it is documented to have. */
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

/** Names and values that follow each other. */
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

/** A decision that Redis takes in one step. */
export interface Script {
  source: string;
  /** what it is called by once it is loaded */
  hash: string;
  /** whether it changes nothing for a process whose turn is over */
  isFenced: boolean;
}

const all: Script[] = [];

/** Every script there is: loaded once on each connection, so that what is asked in one moment keeps its order. */
export const everyScript = (): readonly Script[] => all;

interface ScriptOptions {
  /** changes nothing of what a process does whose turn is over; its first key is that of the turn, its first value the token */
  isFenced?: boolean;
  /** may run in a Redis that is full: it keeps no more than before, but for little */
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

/** A script of the file's text. */
export const script = (source: string, kind: ScriptOptions = {}): Script => define(source, kind);

/** A script that first drops the actions of the queue whose time is over. */
export const queueScript = (source: string, kind: ScriptOptions = {}): Script =>
  define(`${ends}${source}`, kind);
