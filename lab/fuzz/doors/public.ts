import { randomUUID } from "node:crypto";
import { readConfig } from "../../../sidecar/config/read.ts";
import type { Parameter } from "../../../sidecar/contracts/events.ts";
import { EXAMPLES } from "../../../sidecar/contracts/examples.ts";
import { calls } from "../../../sidecar/contracts/operations.ts";
import { damaged, oddCopy } from "../damage.ts";
import type { Dice } from "../dice.ts";
import type { Input, Target } from "../input.ts";
import { requestText } from "../request.ts";

const METHODS = ["GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "QUERY"] as const;

const defaults = readConfig("", {}, process.cwd());
if ("faults" in defaults) throw new Error(defaults.faults.join("\n"));

/** Calls as the service describes them, with an example of what they carry. */
const [first, ...others] = Object.entries(calls(defaults.config.modules.api)).map(
  ([at, { parameters = [], request }]) => {
    const [method = "", path = ""] = at.split(" ");
    const [example] = request === undefined ? [] : Object.values(EXAMPLES[request]);
    return { method: method.toUpperCase(), path, parameters, body: example?.value };
  },
);
if (first === undefined) throw new Error("no call is described");
const CALLS = [first, ...others] as const;

const VALUES = ["", "%", "%ff", "%3Cb%3E", "x", "0"] as const;

/** Where a call is made, with some of the parameters that it may have. */
function addressOf({ path, parameters }: (typeof CALLS)[number], dice: Dice): string {
  const oddly = ({ example }: Parameter): string =>
    dice.happens(0.8) ? encodeURIComponent(`${example}`) : dice.pick(VALUES);
  const asked = parameters.filter(one => one.in === "query" && dice.happens(0.4));
  const whole = parameters.reduce((text, one) => text.replace(`{${one.name}}`, () => oddly(one)), path);
  return asked.length === 0 ? whole : `${whole}?${asked.map(one => `${one.name}=${oddly(one)}`).join("&")}`;
}

const NOWHERE = ["/", "/nowhere", "*", "//", "/%", "/%ff", "http://[/x", "?"] as const;

/** An address that is none of the service, or one of it that is written in another way. */
const oddAddress = (address: string, dice: Dice): string =>
  dice.pick([
    ...NOWHERE,
    address,
    `${address}/`,
    `${address}?x=1`,
    `/..${address}`,
    `${address}#x`,
    `http://x${address}`,
  ]);

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
    const call = dice.pick(CALLS);
    const address = addressOf(call, dice);
    const [method, path, body] = dice.happens(0.6)
      ? [call.method, address, call.body]
      : [dice.pick(METHODS), oddAddress(address, dice)];
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
