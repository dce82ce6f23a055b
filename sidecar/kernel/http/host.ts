import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import type { Trust } from "./client-address.ts";
import { originOf, ownHost } from "./origin.ts";

type HostCheck = (req: IncomingMessage) => boolean;

/** The name in a `Host` header, or one that is listed, as URLs write it: without port, brackets and the dot at its end. */
function nameOf(host: string): string {
  const origin = originOf(`http://${isIPv6(host) ? `[${host}]` : host}`);
  return origin === undefined ? "" : new URL(origin).hostname.replace(/^\[|\]$|\.$/g, "");
}

/** Whether a name or an address is that of this machine for itself, whatever a page can have its own name changed to. */
export const isLoopback = (name: string): boolean =>
  /^(localhost|::1|127\.[\d.]+|::ffff:7f[\da-f]{2}:[\da-f]+)$/.test(nameOf(name));

/** Whether a request calls the service by a name of the machine for itself. */
export const isForLoopback: HostCheck = req => isLoopback(req.headers.host ?? "");

/** What is listened at in the place of one address: no client means it by that. */
const ALL_ADDRESSES = ["0.0.0.0", "::"];

/**
 * Checks that a request calls the service by one of the names, by the address that it listens at, or by one for loopback.
 * No names: by whichever it likes, but on loopback, where no proxy is believed, a page could have its own name stand for it.
 */
export function createHostCheck(
  { host, hosts, trustProxy }: { host: string; hosts: readonly string[]; trustProxy: unknown },
  trust: Trust,
): HostCheck {
  const isOwnOnly = isLoopback(host) && !trustProxy;
  if (hosts.length === 0 && !isOwnOnly) return () => true;
  const own = ALL_ADDRESSES.includes(nameOf(host)) ? [] : [host];
  const known = new Set([...hosts, ...own].map(nameOf));
  /** what was said last that is one of them: most say the same */
  let fine: string | undefined;
  return req => {
    const said = ownHost(req, trust);
    if (said === fine) return true;
    const name = nameOf(said);
    const isKnown = name !== "" && (known.has(name) || isLoopback(name));
    if (isKnown) fine = said;
    return isKnown;
  };
}
