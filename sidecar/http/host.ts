import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { Trust } from "./client-address.ts";
import { ownHost } from "./origin.ts";

type HostCheck = (req: IncomingMessage) => boolean;

/** The name in a `Host` header: without port, the brackets of an IPv6 address and the dot at the end. */
function nameOf(host: string): string {
  const [, address, name = ""] = /^(?:\[(.*?)\]|([^:]*))(?::\d*)?$/.exec(host.toLowerCase()) ?? [];
  return address ?? name.replace(/\.$/, "");
}

/** Whether a name or an address is that of this machine for itself, whatever a page can have its own name changed to. */
export const isLoopback = (name: string): boolean =>
  name === "localhost" || name === "::1" || /^(::ffff:)?127\.[\d.]+$/.test(name);

/** Whether a request calls the service by a name of the machine for itself. */
export const isForLoopback: HostCheck = req => isLoopback(nameOf(req.headers.host ?? ""));

/** An IPv6 address in its shortest form, as browsers send it; anything else as it is. */
function shortest(name: string): string {
  const url = `http://[${name}]`;
  return isIP(name) === 6 && URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : name;
}

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
  const isOwnOnly = isLoopback(shortest(host)) && !trustProxy;
  if (hosts.length === 0 && !isOwnOnly) return () => true;
  const own = ALL_ADDRESSES.includes(shortest(host)) ? [] : [host];
  const known = new Set([...hosts, ...own].map(name => shortest(name.toLowerCase())));
  /** what was said last that is one of them: most say the same */
  let fine: string | undefined;
  return req => {
    const said = ownHost(req, trust);
    if (said === fine) return true;
    const name = nameOf(said);
    const isKnown = known.has(shortest(name)) || isLoopback(name);
    if (isKnown) fine = said;
    return isKnown;
  };
}
