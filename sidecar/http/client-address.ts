import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import proxyAddr from "proxy-addr";

/** Decides whether the proxy at an address is believed, as Express compiles it from its `trust proxy` setting. */
export type Trust = (address: string, hops: number) => boolean;

/** Address of the client, as far as the trusted proxies tell; undefined once the connection is gone. */
export function clientAddress(req: IncomingMessage, trust: Trust): string | undefined {
  return proxyAddr(req, trust);
}

/** Characters of the longest address in text form. */
const LONGEST_ADDRESS = 45;

/** What limits are counted by: an IPv4 address, or the /64 network of an IPv6 one, since one client owns all of it. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  // What a believed proxy passes on need not be an address, and is held as long as it is counted.
  if (!isIPv6(address)) return address.slice(0, LONGEST_ADDRESS);
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const groups = head === "" ? [] : head.split(":");
  const rest = tail === undefined || tail === "" ? [] : tail.split(":");
  while (tail !== undefined && groups.length + rest.length < 8) groups.push("0");
  return [...groups, ...rest]
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(":");
}
