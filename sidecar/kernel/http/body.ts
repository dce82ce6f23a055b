import express, { type Request, type RequestHandler } from "express";
import { check, type Guard } from "../../../shared/guard.ts";
import { sendError } from "./errors.ts";
import { MOST_PIECES } from "./overload/rules.ts";
import { endBehind } from "./overload/server.ts";

/** A body in more pieces than any client makes of one. */
class TooManyPieces extends Error {
  readonly status = 400;
}

/**
 * Reads the whole body of any type, up to `limit` bytes, into `req.body`; what is wrong goes to the error handler. `broken` is told of
 * a body in too many pieces, each of which costs as much as a large one: the connection ends with the answer.
 */
export function rawBody(limit: number, broken: (req: Request) => void = () => undefined): RequestHandler {
  const read = express.raw({ type: () => true, limit, inflate: false });
  return (req, res, next) => {
    let pieces = 0;
    const count = (): void => {
      if (++pieces <= MOST_PIECES) return;
      req.off("data", count);
      broken(req);
      endBehind(res);
      next(new TooManyPieces(`a body in more than ${MOST_PIECES} pieces`));
    };
    // Before it is read, which begins with the first listener, in the next turn.
    if (req.headers["transfer-encoding"] !== undefined) req.on("data", count);
    read(req, res, error => {
      req.off("data", count);
      if (pieces <= MOST_PIECES) next(error);
    });
  };
}

/** With whatever parameters: of them only another charset would mean something. */
const JSON_TYPE =
  /^application\/json\s*(;\s*charset\s*=\s*("utf-?8"|utf-?8)\s*|;(?!\s*charset\s*=)[^;,]*)*$/i;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The JSON object in a body that `rawBody` has read; undefined when it is none. */
export function jsonObject(contentType: string | undefined, body: unknown): object | undefined {
  if (contentType === undefined || !JSON_TYPE.test(contentType.trim()) || !Buffer.isBuffer(body))
    return undefined;
  try {
    const value: unknown = JSON.parse(utf8.decode(body));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A handler whose answers are of type `B`. */
export type Handler<B> = RequestHandler<Request["params"], B>;

/** Reads a body with `rawBody` and hands the request on with it; answers `invalid_body` when it has another shape. */
export function withBody<T, B>(
  readRaw: RequestHandler,
  guard: Guard<T>,
  handlerOf: (body: T) => Handler<B>,
): Handler<B> {
  return async (req, res, next) => {
    await new Promise<void>((resolve, reject) => {
      readRaw(req, res, error => (error === undefined ? resolve() : reject(error)));
    });
    const body = check(guard, jsonObject(req.headers["content-type"], req.body));
    return "fault" in body ? sendError(res, "invalid_body") : handlerOf(body.value)(req, res, next);
  };
}

/** A text that may be missing or null. */
export const maybeText: Guard<string | null | undefined> = (value, path = "body") =>
  value === undefined || value === null || typeof value === "string" ? undefined : `${path}: expected a text`;

/** What the handler looks at by itself. */
export const anything: Guard<unknown> = () => undefined;
