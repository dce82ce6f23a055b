import type { Seen, Trial } from "../probe.ts";
import { PATHS } from "../probe-host.ts";
import {
  ask,
  askRecord,
  type Held,
  judge,
  listOf,
  numberOf,
  recordOf,
  seconds,
  textOf,
  wentWords,
} from "./say.ts";

const NET = "@minecraft/server-net";
export const row = (cell: string): string => `${NET} / ${cell}`;
export const REQUEST = row("`http.request`, `get`, `cancelAll`");
export const ERRORS = row("errors");
export const CODES = row("error codes");

export const url = ({ host }: Trial, path: string = PATHS.answer): string => host.url + path;
/** How one request of the script goes. */
export const send = (trial: Trial, input: Held = {}, ms?: number): Promise<Held> =>
  askRecord(trial, "send", { url: url(trial), ...input }, ms);
export const told = (went: Held): Held => {
  try {
    return recordOf(JSON.parse(textOf(went.body)));
  } catch {
    return {};
  }
};
export const nameOf = (went: Held): string => textOf(recordOf(went.failure).name);
export const fieldsOf = (went: Held): Held => recordOf(recordOf(went.failure).fields);

/** The request is refused by this error, by a rejection of what the call gave. */
export function refused(went: Held, name: string, fields: readonly string[] = []): Seen {
  const lacks = fields.filter(field => fieldsOf(went)[field] === undefined);
  const words = lacks.length === 0 ? wentWords(went) : `${wentWords(went)}, without ${lacks.join(" and ")}`;
  return judge(went.came === "rejected" && nameOf(went) === name && lacks.length === 0, words);
}

/** So many at once, each of which the service answers after a second. */
export async function atOnce(trial: Trial, count: number): Promise<Seen> {
  const since = trial.host.arrived.length;
  const all = listOf(await ask(trial, "send-many", { url: url(trial), count, wish: { waitMs: 1_000 } })).map(
    recordOf,
  );
  const answered = all.filter(({ came }) => came === "answer").length;
  const came = trial.host.arrived.slice(since).filter(({ path }) => path === PATHS.answer);
  const apart = Math.max(...came.map(({ atMs }) => atMs)) - Math.min(...came.map(({ atMs }) => atMs));
  const words = `${answered} of ${count} answered, ${came.length < 2 ? "one" : `${seconds(apart)} between the first and the last that`} arrived`;
  return judge(answered === count && came.length === count && apart < 900, words);
}

export async function body(trial: Trial, input: Held, least: number): Promise<Seen> {
  const went = await send(trial, input);
  const bytes = numberOf(told(went).bytes);
  return judge(
    went.came === "answer" && bytes >= least,
    went.came === "answer" ? `${bytes} bytes arrived` : wentWords(went),
  );
}
