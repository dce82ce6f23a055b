import { isIP } from "node:net";

/** From one port to another, both counted. */
interface Ports {
  from: number;
  to: number;
}

/** What one entry of `server-udp-ports` says. */
export interface UdpPorts {
  /** the address that players are told; undefined: the server's own */
  address: string | undefined;
  /** the ports that players are told */
  outside: Ports;
  /** the ports that the server opens, as many */
  inside: Ports;
}

/** Largest number of a port. */
const LARGEST = 65_535;

/** `port`, `a-b`, or `[address:]outside[-x]:inside[-y]` */
const ENTRY = /^(?:(?:(.+):)?(\d+)(?:-(\d+))?:)?(\d+)(?:-(\d+))?$/;

/** Reads what stands behind the equals signs of each `server-udp-ports`: entries, with commas between them. */
export function readUdpPorts(values: readonly string[]): { ports: UdpPorts[] } | { fault: string } {
  const ports: UdpPorts[] = [];
  for (const entry of values.flatMap(value => value.split(","))) {
    const text = entry.trim();
    const read = text === "" ? undefined : readEntry(text);
    if (typeof read === "string") return { fault: `${text}: ${read}` };
    if (read !== undefined) ports.push(read);
  }
  return { ports };
}

function readEntry(text: string): UdpPorts | string {
  const [, address, one, other, first, last] = ENTRY.exec(text) ?? [];
  if (first === undefined)
    return "expected a port, a range such as 19140-19149, or [address:]outside:inside of two of them";
  const inside = { from: Number(first), to: Number(last ?? first) };
  const outside = one === undefined ? inside : { from: Number(one), to: Number(other ?? one) };
  for (const { from, to } of [outside, inside]) {
    if (![from, to].every(isPort)) return `expected ports from 1 to ${LARGEST}`;
    if (from > to) return "expected the lower port first";
  }
  if (countOf(outside) !== countOf(inside)) return "expected as many ports inside as outside";
  return { address: address?.replace(/^\[|\]$/g, ""), outside, inside };
}

/** Whether a number is that of a port. */
export const isPort = (port: number): boolean => Number.isInteger(port) && port >= 1 && port <= LARGEST;

export const countOf = ({ from, to }: Ports): number => to - from + 1;

/** Whether the address of an entry is a name. */
export const isNamed = ({ address }: UdpPorts): boolean => address !== undefined && isIP(address) === 0;

/** An entry for more players, from the same ports on; undefined: there are no such ports. */
export function widened({ address, outside, inside }: UdpPorts, count: number): string | undefined {
  const [to, inTo] = [outside.from + count - 1, inside.from + count - 1];
  if (to > LARGEST || inTo > LARGEST) return undefined;
  const within = `${inside.from}-${inTo}`;
  if (address === undefined && outside.from === inside.from) return within;
  return `${address === undefined ? "" : `${address}:`}${outside.from}-${to}:${within}`;
}
