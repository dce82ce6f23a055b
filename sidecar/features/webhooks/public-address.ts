import { BlockList, isIP } from "node:net";

/** Address ranges that are not public, from IANA's special-purpose registries. */
const SPECIAL: readonly [network: string, prefix: number, what: string][] = [
  ["0.0.0.0", 8, "this network"],
  ["10.0.0.0", 8, "private"],
  ["100.64.0.0", 10, "shared by customers of a provider"],
  ["127.0.0.0", 8, "loopback"],
  ["168.63.129.16", 32, "the host of machines at Azure"],
  ["169.254.0.0", 16, "link-local, and metadata of clouds"],
  ["172.16.0.0", 12, "private"],
  ["192.0.0.0", 24, "assigned to protocols"],
  ["192.0.2.0", 24, "documentation"],
  ["192.88.99.0", 24, "relays of 6to4"],
  ["192.168.0.0", 16, "private"],
  ["198.18.0.0", 15, "measurements"],
  ["198.51.100.0", 24, "documentation"],
  ["203.0.113.0", 24, "documentation"],
  ["224.0.0.0", 4, "multicast"],
  ["240.0.0.0", 4, "reserved, and broadcast"],
  ["2001::", 23, "assigned to protocols, such as Teredo, which carries IPv4 addresses"],
  ["2001:db8::", 32, "documentation"],
  ["2002::", 16, "6to4, which carries IPv4 addresses"],
  ["3fff::", 20, "documentation"],
];

/** Prefixes of IPv4 addresses in IPv6: NAT64 and mapped addresses. They lead to the IPv4 address. */
const BEFORE_IPV4 = ["64:ff9b::", "::ffff:"];

const special = new BlockList();
/** Allocated IPv6 space: loopback, unique local, link-local and multicast are outside. */
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");
for (const before of BEFORE_IPV4) global6.addSubnet(`${before}0.0.0.0`, 96, "ipv6");
for (const [network, prefix] of SPECIAL) {
  const isIpv6 = network.includes(":");
  special.addSubnet(network, prefix, isIpv6 ? "ipv6" : "ipv4");
  if (!isIpv6) for (const before of BEFORE_IPV4) special.addSubnet(before + network, 96 + prefix, "ipv6");
}

/** Whether an IP address is public on the internet. False for anything but an address. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !special.check(address, "ipv4");
  return (
    version === 6 &&
    !address.includes("%") &&
    global6.check(address, "ipv6") &&
    !special.check(address, "ipv6")
  );
}
