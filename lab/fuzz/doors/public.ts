import { randomUUID } from "node:crypto";
import { damaged, oddCopy } from "../damage.ts";
import type { Dice } from "../dice.ts";
import type { Input, Target } from "../input.ts";
import { requestText } from "../request.ts";

const METHODS = ["GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "QUERY"] as const;
const PATHS = [
  ...(["/status", "/players", "/history", "/initialize", "/link-player", "/linked-player"] as const),
  ...(["/unlink-player", "/whitelist", "/chat", "/healthz", "/readyz", "/openapi.json"] as const),
  ...(["/asyncapi.json", "/console.json", "/", "/nowhere", "*", "//", "/status/", "/%", "/%ff"] as const),
  ...(["/events", "/events?since=0", "/events?format=json&limit=2", "/events?types=x", "/events/"] as const),
  ...(["/badge.svg", "/badge.svg?label=%3Cb%3E", "/badge.svg?label=%", "/badge.svg?label", "/docs"] as const),
  ...(["http://[/x", "http://x/status", "/status?x=1", "/../status", "/status#x", "?"] as const),
] as const;
/** Calls as a web developer makes them. */
const CALLS = [
  ["GET", "/status"],
  ["GET", "/players"],
  ["GET", "/initialize"],
  ["POST", "/link-player", { username: "Steve" }],
  ["GET", "/linked-player"],
  ["POST", "/unlink-player"],
  ["GET", "/whitelist"],
  ["POST", "/whitelist", { playerName: "Alex" }],
  ["GET", "/events?types=chat,join,leave,death,server,status,players&since=0"],
  ["GET", "/events?format=json"],
] as const;

/** Headers of a client; some of them odd. */
function headersOf(dice: Dice, { cookie, adminKey }: Target): Record<string, string> {
  return {
    ...(dice.happens(0.6) && { Cookie: dice.pick([cookie, cookie, `${cookie}; ${cookie}`, "=;;a=b", ""]) }),
    ...(dice.happens(0.5) && { "X-Service-Api-Key": dice.pick([adminKey, adminKey, "", "wrong", "é"]) }),
    ...(dice.happens(0.2) && { Origin: dice.pick(["http://127.0.0.1", "null", "http://x", "*", ""]) }),
    ...(dice.happens(0.2) && { "If-None-Match": dice.pick(["*", '"x"', 'W/"', ",,,"]) }),
    ...(dice.happens(0.1) && { "Sec-Fetch-Site": dice.pick(["cross-site", "none", "?"]) }),
    ...(dice.happens(0.1) && { "X-Forwarded-For": dice.pick(["1.2.3.4", "::1", ",", "x"]) }),
    ...(dice.happens(0.1) && {
      Accept: dice.pick(["application/json", "text/event-stream", ",", "*/*;q=x"]),
    }),
    ...(dice.happens(0.1) && { "Last-Event-ID": dice.pick(["0", "", "1-1", "9".repeat(500), "\u00e9"]) }),
    ...(dice.happens(0.1) && { Expect: dice.pick(["100-continue", "x"]) }),
    ...(dice.happens(0.1) && { Range: "bytes=0-1" }),
    ...(dice.happens(0.1) && { [`X-${"y".repeat(dice.below(200))}`]: dice.bytes(9).toString("hex") }),
  };
}

const TYPES = [
  ...(["application/json", "application/json", "application/json; charset=utf-8"] as const),
  ...(["text/plain", "", "application/json; charset=latin1", "multipart/form-data"] as const),
] as const;

/** One request to the public listener, or a few behind one another. */
export function publicInput(dice: Dice, target: Target): Input {
  const one = (): Buffer => {
    const [method, path, body] = dice.happens(0.6)
      ? dice.pick(CALLS)
      : ([dice.pick(METHODS), dice.pick(PATHS)] as const);
    // Mostly of a browser that nobody has seen: what one input leaves behind does not decide about the next.
    const fresh = dice.happens(0.5) ? target : { ...target, cookie: `website_user_uuid=${randomUUID()}` };
    const headers = headersOf(dice, fresh);
    if (body === undefined && !dice.happens(0.1)) return requestText(method, path, headers);
    const value = dice.happens(0.4) ? (body ?? {}) : oddCopy(body ?? {}, dice);
    const json = Buffer.from(JSON.stringify(value) ?? "");
    const bytes = dice.happens(0.2) ? damaged(json, dice) : json;
    return requestText(method, path, { ...headers, "Content-Type": dice.pick(TYPES) }, bytes);
  };
  const requests = Array.from({ length: dice.happens(0.1) ? 1 + dice.below(8) : 1 }, one);
  const whole = Buffer.concat(requests);
  if (dice.happens(0.6)) return { door: "public", kind: "call", pieces: [whole], isWhole: true };
  const broken = damaged(whole, dice);
  const cut = dice.below(broken.length + 1);
  return {
    door: "public",
    kind: "damaged call",
    pieces: dice.happens(0.2) ? [broken.subarray(0, cut), broken.subarray(cut)] : [broken],
    isWhole: false,
  };
}
