import type { IncomingMessage } from "node:http";
import cors from "cors";
import type { RequestHandler } from "express";
import { sendAnswer } from "./answer.ts";
import { ADMIN_KEY_HEADER } from "./keys.ts";

const PREFLIGHT_MAX_AGE_SECONDS = 600;
const ALLOWED_HEADERS = ["Content-Type", "If-None-Match", "Last-Event-ID", ADMIN_KEY_HEADER];
const EXPOSED_HEADERS = ["ETag", "Retry-After", "X-Request-Id"];

/** Headers with which a page of a listed origin may read an answer. */
export const corsHeaders = (req: IncomingMessage): Record<string, string> => ({
  "Access-Control-Allow-Origin": req.headers.origin ?? "",
  "Access-Control-Allow-Credentials": "true",
  "Access-Control-Expose-Headers": EXPOSED_HEADERS.join(","),
});

/**
 * Answers preflights of pages of listed origins, whose answers have `corsHeaders` already. Any header is allowed: tracing libraries
 * add their own to every request.
 */
export function createPreflights(listed: readonly string[]): RequestHandler {
  const allow = cors({
    origin: [...listed],
    credentials: true,
    methods: ["GET", "HEAD", "POST", "DELETE"],
    allowedHeaders: ALLOWED_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
    preflightContinue: true,
  });
  return (req, res, next) => {
    if (req.method !== "OPTIONS" || !res.hasHeader("Access-Control-Allow-Origin")) return next();
    const asked = req.get("Access-Control-Request-Headers");
    const headers = asked && { "Access-Control-Allow-Headers": `${ALLOWED_HEADERS},${asked}` };
    // Some browsers wait for a body without this length.
    allow(req, res, () => sendAnswer(res, { status: 204, headers: { "Content-Length": "0", ...headers } }));
  };
}
