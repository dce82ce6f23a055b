import type { Response } from "express";
import { sendAnswer } from "../answer.ts";
import { markup } from "../markup.ts";

const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Says to a person that a sign-in cannot go on, where it cannot be said to the site that has begun it.
 * @param code what the standard calls it
 * @param why in words for whoever made the site
 */
export function sendSignInFault(res: Response, status: number, code: string, why = ""): void {
  const page = markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>This sign-in cannot go on</title>
<h1>This sign-in cannot go on</h1>
<p>Go back to the site and begin again. If that does not help, tell whoever runs the site:</p>
<p><code>${code}</code> ${why}</p>
`;
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
  };
  sendAnswer(res, { status, headers, body: page.text });
}
