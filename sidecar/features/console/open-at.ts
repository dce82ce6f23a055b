import { existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import type { NetworkInterfaceInfo } from "node:os";

/** Addresses of this machine in the log. */
const MAX_ADDRESSES = 3;

type Address = Pick<NetworkInterfaceInfo, "address" | "family" | "internal">;

/** Networks between this machine and its own containers and virtual machines. */
const VIRTUAL =
  /^(docker|podman|veth|virbr|vmnet|vboxnet|cni|flannel|cali|lxcbr|lxdbr|br-[0-9a-f]{12}$|vEthernet \((WSL|Default))|VirtualBox|VMware/;
/** Networks that only machines with the same program are in. */
const VPN = /^(tun|tap|utun|wg|ppp|zt)\d*|vpn|tailscale|zerotier|hamachi|wireguard/i;
/** Addresses for a single cable or wireless network, which browsers do not support in IPv6. */
const LINK_LOCAL = /^(fe[89ab].:|169\.254\.)/i;
const PRIVATE_IPV4 = /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\./;
/** Unique local addresses of IPv6. */
const PRIVATE_IPV6 = /^f[cd]/i;

/** How unlikely it is that others reach an address: 0 for the likeliest. */
function rankOf(name: string, { address, family }: Address): number {
  if (VPN.test(name)) return 4;
  if (family === "IPv4") return PRIVATE_IPV4.test(address) ? 0 : 1;
  return PRIVATE_IPV6.test(address) ? 3 : 2;
}

/** Addresses at which other machines may reach this one, the likeliest first. */
function reachable(interfaces: NodeJS.Dict<readonly Address[]>): Address[] {
  return Object.entries(interfaces)
    .flatMap(([name, addresses = []]) => addresses.map(each => ({ name, each, rank: rankOf(name, each) })))
    .filter(({ name, each }) => !each.internal && !VIRTUAL.test(name) && !LINK_LOCAL.test(each.address))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ each }) => each);
}

/**
 * Says at which URLs a listener can be opened in a browser: on this machine, and from others.
 * @param interfaces those of this machine, by name
 * @param isContainer whether this machine is a container, whose own addresses nobody else can use
 */
export function openAt(
  { address, port }: Pick<AddressInfo, "address" | "port">,
  interfaces: NodeJS.Dict<readonly Address[]>,
  isContainer: boolean,
): string {
  const url = (host: string): string => `http://${host.includes(":") ? `[${host}]` : host}:${port}/`;
  const isAny = address === "0.0.0.0" || address === "::";
  if (isAny && isContainer)
    return `The web console is on port ${port} of this container: open it at the machine's address, by the port published for it`;
  const isLocal = isAny || address === "127.0.0.1" || address === "::1";
  const here = `Open ${url(isLocal ? "localhost" : address)} in a browser`;
  const others = isAny
    ? reachable(interfaces).filter(each => address === "::" || each.family === "IPv4")
    : [];
  if (others.length === 0) return here;
  const urls = others.slice(0, MAX_ADDRESSES).map(each => url(each.address));
  return `${here}, or from another machine ${urls.join(" or ")}`;
}

/** Whether this process is in a container, by the marks of Docker, Podman and Kubernetes. */
export const isInContainer = (
  env: NodeJS.ProcessEnv = process.env,
  exists: (path: string) => boolean = existsSync,
): boolean =>
  env.KUBERNETES_SERVICE_HOST !== undefined || exists("/.dockerenv") || exists("/run/.containerenv");
