import type { IncomingMessage } from "node:http";
import type { Trust } from "./client-address.ts";
import { ownHost } from "./origin.ts";

export type HostCheck = (req: IncomingMessage) => boolean;

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

/** Checks that a request calls the service by one of the names, or by one for loopback; no names: by whichever it likes. */
export function createHostCheck(names: readonly string[], trust: Trust): HostCheck {
  if (names.length === 0) return () => true;
  const known = new Set(names.map(name => name.toLowerCase()));
  return req => {
    const name = nameOf(ownHost(req, trust));
    return known.has(name) || isLoopback(name);
  };
}
