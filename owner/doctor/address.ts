import { address } from "../../behavior_pack/address.ts";
import { isAny, isBeyond, isTlsToPlain, nameIn, parts, reaches, urlOf } from "../bds/address.ts";
import { type Finding, ok, problem } from "./finding.ts";
import type { Target } from "./target.ts";

const ID = "bridge-url";

/** Judges `bridge-url`. `url`: the address that the other settings have to fit; undefined when it is not known. */
export function checkUrl(
  { side, around, setup }: Pick<Target, "side" | "around" | "setup">,
  value: unknown,
): { finding: Finding; url: string | undefined } {
  const wanted = side === undefined || side.config.bridge.port === 0 ? undefined : urlOf(side.config.bridge);
  const wrong = (what: string): { finding: Finding; url: string | undefined } => ({
    finding: problem(
      ID,
      `variables.json: ${what}${wanted === undefined ? "" : `, expected ${wanted}`}`,
      setup,
    ),
    url: wanted,
  });
  if (value === undefined) return wrong(`${ID} is missing`);
  // What may be a password is not shown.
  if (typeof value === "string" && hasLogin(value)) return wrong(`${ID} has a name or a password in it`);
  const url = address(value);
  if (url === undefined || !URL.canParse(url)) return wrong(`${ID}: ${JSON.stringify(value)} is no address`);
  if (isAny(nameIn(url))) return wrong(`${ID} is ${url}, which stands for every address of a machine`);
  if (side === undefined || wanted === undefined)
    return { finding: ok(ID, `${ID} is ${url}; what the sidecar's is, is not known`), url };
  const { bridge, modules } = side.config;
  const own = around.ownAddresses();
  if (isBeyond(url, side.config, own)) return { finding: ok(ID, `${ID} is ${url}`), url };
  const { pathname, port } = parts(url);
  if (port === bridge.port && isTlsToPlain(url, side.config, own))
    return wrong(`${ID} is ${url}, and the sidecar's listener for the pack has no TLS`);
  if (port === modules.api.port) return wrong(`${ID} is ${url}, the address of the public listener`);
  if (port !== bridge.port || pathname !== "/" || !reaches(nameIn(url), bridge))
    return wrong(`${ID} is ${url}`);
  return { finding: ok(ID, `${ID} is ${url}, where the sidecar listens for the pack`), url };
}

const hasLogin = (url: string): boolean => url.includes("@");

/** Whether setup takes no such address, wherever it may lead. */
export const isUnfit = (url: string): boolean => hasLogin(url) || isAny(nameIn(url));
