import type { AddressInfo } from "node:net";
import type { NetworkInterfaceInfo } from "node:os";

/** Most addresses of this machine in the log. */
const MOST = 4;

type Own = Pick<NetworkInterfaceInfo, "address" | "family" | "internal">;

/**
 * Where people reach a listener with a browser: on this machine, and from others.
 * @param own addresses of this machine
 */
export function openAt(
  { address, port }: Pick<AddressInfo, "address" | "port">,
  own: readonly Own[],
): { here: string; others: string[] } {
  const url = (host: string): string => `http://${host.includes(":") ? `[${host}]` : host}:${port}/`;
  const local = url("localhost");
  if (["127.0.0.1", "::1"].includes(address)) return { here: local, others: [] };
  const isAny = address === "0.0.0.0" || address === "::";
  if (!isAny) return { here: url(address), others: [] };
  const reached = own.filter(
    each =>
      !each.internal &&
      // Browsers do not take link-local addresses, which need a zone.
      !/^fe80:/i.test(each.address) &&
      (address === "::" || each.family === "IPv4"),
  );
  return { here: local, others: reached.slice(0, MOST).map(each => url(each.address)) };
}
