import express, { type Request, type RequestHandler, type Response } from "express";
import { type Guard, isObject } from "../../../shared/guard.ts";
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

/** The JSON object in a body that `rawBody` has read; undefined: it is none. */
export function jsonObject(contentType: string | undefined, body: unknown): object | undefined {
  if (contentType === undefined || !JSON_TYPE.test(contentType.trim()) || !Buffer.isBuffer(body))
    return undefined;
  try {
    const value: unknown = JSON.parse(utf8.decode(body));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the JSON object in a body, undefined: it is none. Rejects with what `rawBody` gives the error handler. */
export function createBodyReader(limit: number, onTooManyChunks: (req: Request) => void) {
  const readRaw = rawBody(limit, onTooManyChunks);
  return async (req: Request, res: Response): Promise<object | undefined> => {
    await new Promise<void>((resolve, reject) => {
      readRaw(req, res, error => (error === undefined ? resolve() : reject(error)));
    });
    return jsonObject(req.headers["content-type"], req.body);
  };
}

/** A text that may be missing or null. */
export const maybeText: Guard<string | null | undefined> = (value, path = "body") =>
  value === undefined || value === null || typeof value === "string" ? undefined : `${path}: expected a text`;

/** Parameter by which pages keep caches away. It means nothing. */
const CACHE_BUSTER = "_";

/**
 * The query of an address; undefined where it has a parameter that is not known, or one twice that is no list.
 * @param lists names that may come several times, also as `name[]` and `name[0]`, which axios and PHP make of a list
 */
export function readParameters(
  url: string,
  names: readonly string[],
  lists: readonly string[] = [],
): URLSearchParams | undefined {
  const written = new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "");
  const query = new URLSearchParams();
  for (const [name, value] of written) {
    const list = name.replace(/\[\d*\]$/, "");
    query.append(lists.includes(list) ? list : name, value);
  }
  query.delete(CACHE_BUSTER);
  const all = [...query.keys()];
  const isFine = all.every(
    name => lists.includes(name) || (names.includes(name) && query.getAll(name).length === 1),
  );
  return isFine ? query : undefined;
}
