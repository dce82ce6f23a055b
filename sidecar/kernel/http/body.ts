import express, { type Request, type RequestHandler, type Response } from "express";
import { type Guard, isObject } from "../../../shared/guard.ts";
import type { Result } from "../../../shared/result.ts";
import { MAX_CHUNKS } from "./overload/rules.ts";
import { endConnectionAfter } from "./overload/server.ts";

/** A body in too many chunks. */
class TooManyChunks extends Error {
  readonly status = 400;
}

/**
 * Reads a body of any type, up to `limit` bytes, into `req.body`; errors go to the error handler. `onTooManyChunks` is called for a body in
 * too many chunks, each of which costs as much as a large one: the connection ends with the answer.
 */
export function rawBody(
  limit: number,
  onTooManyChunks: (req: Request) => void = () => undefined,
): RequestHandler {
  const read = express.raw({ type: () => true, limit, inflate: false });
  return (req, res, next) => {
    let pieces = 0;
    const count = (): void => {
      if (++pieces <= MAX_CHUNKS) return;
      req.off("data", count);
      onTooManyChunks(req);
      endConnectionAfter(res);
      next(new TooManyChunks(`a body in more than ${MAX_CHUNKS} pieces`));
    };
    // Added before the body is read, which begins in the next turn.
    if (req.headers["transfer-encoding"] !== undefined) req.on("data", count);
    read(req, res, error => {
      req.off("data", count);
      if (pieces <= MAX_CHUNKS) next(error);
    });
  };
}

/** With any parameters but another charset. */
const JSON_TYPE =
  /^application\/json\s*(;\s*charset\s*=\s*("utf-?8"|utf-?8)\s*|;(?!\s*charset\s*=)[^;,]*)*$/i;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The JSON object in a body that `rawBody` has read, or in one sentence why there is none. */
export function jsonObject(contentType: string | undefined, body: unknown): Result<object> {
  if (contentType === undefined || !JSON_TYPE.test(contentType.trim()))
    return { fault: "The body must be sent as `Content-Type: application/json`, in UTF-8." };
  if (!Buffer.isBuffer(body)) return { fault: "The body is missing: a JSON object is expected." };
  try {
    const value: unknown = JSON.parse(utf8.decode(body));
    return isObject(value) ? { value } : { fault: "The body must be a JSON object." };
  } catch {
    return { fault: "The body is not valid JSON in UTF-8. PowerShell 5.1 sends Latin-1." };
  }
}

/** Reads the JSON object in a body. Rejects with what `rawBody` gives the error handler. */
export function createBodyReader(limit: number, onTooManyChunks: (req: Request) => void) {
  const readRaw = rawBody(limit, onTooManyChunks);
  return async (req: Request, res: Response): Promise<Result<object>> => {
    await new Promise<void>((resolve, reject) => {
      readRaw(req, res, error => (error === undefined ? resolve() : reject(error)));
    });
    return jsonObject(req.headers["content-type"], req.body);
  };
}

/** A string that may be missing or null. */
export const maybeText: Guard<string | null | undefined> = (value, path = "body") =>
  value === undefined || value === null || typeof value === "string"
    ? undefined
    : `${path}: expected a string or null`;
