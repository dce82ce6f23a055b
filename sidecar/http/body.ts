import express, { type RequestHandler } from "express";

/** Reads the whole body of any type, up to `limit` bytes, into `req.body`; what is wrong goes to the error handler. */
export function rawBody(limit: number): RequestHandler {
  return express.raw({ type: () => true, limit, inflate: false });
}

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The JSON object in a body that `rawBody` has read; undefined when it is none. */
export function jsonObject(
  contentType: string | undefined,
  body: unknown,
): Record<string, unknown> | undefined {
  if (contentType === undefined || !JSON_TYPE.test(contentType.trim()) || !Buffer.isBuffer(body))
    return undefined;
  try {
    const value: unknown = JSON.parse(utf8.decode(body));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
