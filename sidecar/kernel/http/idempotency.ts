import { createHash } from "node:crypto";
import type { Request } from "express";
import type { Clock } from "../../platform/clock.ts";
import type { Answer } from "./answer.ts";
import type { Parameter } from "./description.ts";
import { type ErrorAnswer, errorWith } from "./errors.ts";

const HEADER = "Idempotency-Key";
/** How long an answer is stored, in milliseconds. */
const ANSWER_LIFE_MS = 60 * 60_000;
/** Most stored answers; above it the oldest are dropped. */
const MAX_ANSWERS = 1_000;

/** A string of RFC 8941, or the same without quotes, as many clients send it. */
const WRITTEN = /^(?:"([ !#-[\]-~]{1,128})"|([\w.:+/=-]{1,128}))$/;

/** Statuses of answers after which the action may have been carried out. */
const MAY_BE_DONE = [200, 422, 500];

export const IDEMPOTENCY_KEY: Parameter = {
  name: HEADER,
  in: "header",
  required: false,
  description:
    "A new text for each action, up to 128 characters, such as a UUID in quotes. If the response is lost, send the same request again within an hour: it returns the first response, and nothing is done twice. Only the process that got the first request knows it. Different admin keys, moderators and calls can use the same text.",
  schema: { type: "string", pattern: WRITTEN.source },
  example: '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
};

/** The errors of requests with an idempotency key. */
export const IDEMPOTENCY_ERRORS = [
  "invalid_idempotency_key",
  "idempotency_key_in_use",
  "idempotency_key_reused",
] as const;
type IdempotencyError = (typeof IDEMPOTENCY_ERRORS)[number];

/** The first request with a key, and its answer once there is one. */
interface StoredAnswer<A> {
  body: string;
  at: number;
  answer: A | undefined;
}

/** Drops expired answers, and the oldest ones if there are too many. */
function forgetOld<A>(answers: Map<string, StoredAnswer<A>>, now: number): void {
  for (const [name, { at, answer }] of answers) {
    if (answers.size <= MAX_ANSWERS && now - at < ANSWER_LIFE_MS) return;
    if (answer !== undefined) answers.delete(name);
  }
}

/**
 * A handler that carries out a request once for each `Idempotency-Key` of an admin key, and repeats its answer after that.
 * An answer is not stored if nothing was done.
 */
export function withIdempotency<I extends { req: Request; key: string }, A extends Answer>(
  clock: Pick<Clock, "monotonic">,
  handle: (input: I) => Promise<A>,
): (input: I) => Promise<A | ErrorAnswer<IdempotencyError>> {
  /** by admin key and idempotency key, the oldest first */
  const answers = new Map<string, StoredAnswer<A>>();

  return async input => {
    const { req, key } = input;
    const written = req.get(HEADER);
    if (written === undefined) return handle(input);
    const [, quoted, plain] = WRITTEN.exec(written) ?? [];
    const text = quoted ?? plain;
    if (text === undefined) return errorWith("invalid_idempotency_key", { field: HEADER });
    const now = clock.monotonic();
    forgetOld(answers, now);
    const name = JSON.stringify([key, text]);
    const body = createHash("sha256").update(req.body).digest("hex");
    const first = answers.get(name);
    if (first && first.body !== body) return errorWith("idempotency_key_reused", { field: HEADER });
    if (first) return first.answer ?? errorWith("idempotency_key_in_use", { field: HEADER });
    const own: StoredAnswer<A> = { body, at: now, answer: undefined };
    answers.set(name, own);
    try {
      const answer = await handle(input);
      if (MAY_BE_DONE.includes(answer.status)) own.answer = answer;
      return answer;
    } finally {
      if (own.answer === undefined) answers.delete(name);
    }
  };
}
