import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "express";
import { sendAnswer } from "./answer.ts";
import { ADMIN_KEY_HEADER } from "./keys.ts";

/** Headers with which a page of a listed origin may read an answer, and what besides the usual. */
export const corsHeaders = (req: IncomingMessage): Record<string, string> => ({
  "Access-Control-Allow-Origin": req.headers.origin ?? "",
  "Access-Control-Allow-Credentials": "true",
  "Access-Control-Expose-Headers": "ETag,Retry-After,X-Request-Id",
});

/** What such a page hears besides when it asks what it may send. */
const PREFLIGHT = {
  status: 204,
  headers: {
    "Access-Control-Allow-Methods": "GET,HEAD,POST,DELETE",
    "Access-Control-Allow-Headers": `Content-Type,If-None-Match,Last-Event-ID,${ADMIN_KEY_HEADER}`,
    "Access-Control-Max-Age": "600",
    // Some browsers wait for a body without it.
    "Content-Length": "0",
  },
};

/** Answers the preflights of pages of listed origins, whose answers have `corsHeaders` already. */
export const answerPreflights: RequestHandler = (req, res, next) =>
  req.method === "OPTIONS" && res.hasHeader("Access-Control-Allow-Origin")
    ? sendAnswer(res, PREFLIGHT)
    : next();
