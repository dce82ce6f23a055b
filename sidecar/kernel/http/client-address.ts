import type { IncomingMessage } from "node:http";
import { isIPv4, isIPv6 } from "node:net";
import proxyAddr from "proxy-addr";

/** Whether the proxy at an address is trusted, as Express compiles it from its `trust proxy` setting. */
export type Trust = (address: string, hops: number) => boolean;

/** Address of the client by the trusted proxies; undefined once the connection is closed. */
export function clientAddress(req: IncomingMessage, trust: Trust): string | undefined {
  const from = req.socket.remoteAddress;
  return from !== undefined && trust(from, 0) ? proxyAddr(req, trust) : from;
}

/** Whether a key of `addressKey` is that of programs on this machine, such as a proxy and the health check. */
export const isThisMachine = (key: string): boolean => key === "127.0.0.1" || key === "0:0:0:0";

/** Stands for every invalid address: a trusted proxy may forward anything. */
const UNKNOWN = "unknown";

/** Key of an address for limits: the IPv4 address, or the /64 network of an IPv6 one, since one client owns all of it. */
export function addressKey(text: string): string {
  if (isIPv4(text)) return text;
  // Some proxies add the port of the client.
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/.exec(text) ?? [];
  const address = bracketed ?? dotted ?? text;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  if (isIPv4(mapped)) return mapped;
  if (!isIPv6(address)) return UNKNOWN;
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const groups = head === "" ? [] : head.split(":");
  const rest = tail === undefined || tail === "" ? [] : tail.split(":");
  while (tail !== undefined && groups.length + rest.length < 8) groups.push("0");
  return [...groups, ...rest]
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(":");
}
