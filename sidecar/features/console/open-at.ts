import type { AddressInfo } from "node:net";
import type { NetworkInterfaceInfo } from "node:os";

/** Addresses of this machine in the log. */
const MAX_ADDRESSES = 4;

type Own = Pick<NetworkInterfaceInfo, "address" | "family" | "internal">;

/**
 * URLs at which a listener can be opened in a browser: on this machine, and from others.
 * @param own addresses of this machine
 */
export function openAt(
  { address, port }: Pick<AddressInfo, "address" | "port">,
  interfaces: readonly Own[],
): { here: string; others: string[] } {
  const url = (host: string): string => `http://${host.includes(":") ? `[${host}]` : host}:${port}/`;
  const local = url("localhost");
  if (["127.0.0.1", "::1"].includes(address)) return { here: local, others: [] };
  const isAny = address === "0.0.0.0" || address === "::";
  if (!isAny) return { here: url(address), others: [] };
  const reached = interfaces.filter(
    each =>
      !each.internal &&
      // Browsers do not support link-local addresses, which need a zone.
      !/^fe80:/i.test(each.address) &&
      (address === "::" || each.family === "IPv4"),
  );
  return { here: local, others: reached.slice(0, MAX_ADDRESSES).map(each => url(each.address)) };
}
