import { mc } from "../../behavior_pack/game/modules.ts";
import { failureOf } from "./failure.ts";

/** Arguments of a question. */
export type Input = Readonly<Record<string, unknown>>;

/** Answers a question; what it throws goes back as an error. */
export type Handler = (input: Input) => unknown;

const MARK = "[prove] ";
/** Longest part of an answer, in characters: it is not known where the console cuts a line. */
const PART = /.{1,60}/gs;
/** No answer needs as many; more would fill the console. */
const MAX_PARTS = 190;

export const textOf = (input: Input, key: string): string => {
  const value = input[key];
  return typeof value === "string" ? value : "";
};

export const numberOf = (input: Input, key: string, standard: number): number => {
  const value = input[key];
  return typeof value === "number" && Number.isFinite(value) ? value : standard;
};

/** Answers `scriptevent prove:ask` on the console. */
export function listen(handlers: Readonly<Record<string, Handler>>): void {
  mc.system.afterEvents.scriptEventReceive.subscribe(
    ({ id, message }) => {
      if (id === "prove:ask") void take(message, handlers);
    },
    { namespaces: ["prove"] },
  );
  ready();
}

/** Says on the console that questions are answered from now on. */
export const ready = (): void => console.warn(`${MARK}{"ready":1}`);

/** Answers a question in JSON, in lines of the console. */
export async function take(message: string, handlers: Readonly<Record<string, Handler>>): Promise<void> {
  let id: unknown = 0;
  try {
    const question: { id?: unknown; name?: unknown; input?: unknown } = JSON.parse(message);
    ({ id } = question);
    const handler = Object.entries(handlers).find(([name]) => name === question.name)?.[1];
    if (handler === undefined) throw new Error("unknown question");
    const input = typeof question.input === "object" && question.input !== null ? question.input : {};
    say(id, { value: (await handler(input as Input)) ?? null });
  } catch (error) {
    const { name, message } = failureOf(error);
    say(id, { error: `${name}: ${message}` });
  }
}

function say(id: unknown, answer: unknown): void {
  const text = JSON.stringify(answer);
  const pieces = text.match(PART) ?? [];
  if (pieces.length > MAX_PARTS) {
    say(id, { error: `the answer has ${text.length} characters` });
    return;
  }
  pieces.forEach((piece, part) => {
    console.warn(`${MARK}${JSON.stringify({ id, part, of: pieces.length, text: piece })}`);
  });
}
