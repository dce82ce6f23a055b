import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import type { Trust } from "./client-address.ts";
import { originOf, ownHost } from "./origin.ts";

type HostCheck = (req: IncomingMessage) => boolean;

/** A name of a `Host` header or of the configuration, as URLs write it, without port, brackets and final dot. */
function nameOf(host: string): string {
  const origin = originOf(`http://${isIPv6(host) ? `[${host}]` : host}`);
  return origin === undefined ? "" : new URL(origin).hostname.replace(/^\[|\]$|\.$/g, "");
}

/** Whether a name or an address is one for loopback, which no page can have as its own. */
export const isLoopback = (name: string): boolean =>
  /^(localhost|::1|127\.[\d.]+|::ffff:7f[\da-f]{2}:[\da-f]+)$/.test(nameOf(name));

export const isForLoopback: HostCheck = req => isLoopback(req.headers.host ?? "");

/** Addresses that listen on all networks, and are no names for clients. */
const ALL_ADDRESSES = ["0.0.0.0", "::"];

/**
 * Checks that a request has one of the host names, the address of the listener, or a name for loopback. Without configured names
 * any is fine, except on loopback without a trusted proxy, where a page could resolve its own name to this machine.
 */
export function createHostCheck(
  { host, hosts, trustProxy }: { host: string; hosts: readonly string[]; trustProxy: unknown },
  trust: Trust,
): HostCheck {
  const isOwnOnly = isLoopback(host) && !trustProxy;
  if (hosts.length === 0 && !isOwnOnly) return () => true;
  const own = ALL_ADDRESSES.includes(nameOf(host)) ? [] : [host];
  const known = new Set([...hosts, ...own].map(nameOf));
  /** the last host that passed: most requests have the same */
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
