import { isIP } from "node:net";

/** A range of ports, both ends included. */
interface Ports {
  from: number;
  to: number;
}

/** One entry of `server-udp-ports`. */
export interface UdpPorts {
  /** the address that players get; undefined: the server's own */
  address: string | undefined;
  /** the ports that players get */
  outside: Ports;
  /** the ports that the server opens, as many */
  inside: Ports;
}

const MAX_PORT = 65_535;

/** `port`, `a-b`, or `[address:]outside[-x]:inside[-y]` */
const ENTRY = /^(?:(?:(.+):)?(\d+)(?:-(\d+))?:)?(\d+)(?:-(\d+))?$/;

/** Parses the values of `server-udp-ports`: entries with commas between them. */
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
    if (![from, to].every(isPort)) return `expected ports from 1 to ${MAX_PORT}`;
    if (from > to) return "expected the lower port first";
  }
  if (countOf(outside) !== countOf(inside)) return "expected as many ports inside as outside";
  return { address: address?.replace(/^\[|\]$/g, ""), outside, inside };
}

export const isPort = (port: number): boolean => Number.isInteger(port) && port >= 1 && port <= MAX_PORT;

export const countOf = ({ from, to }: Ports): number => to - from + 1;

/** Whether the address of an entry is a host name. */
export const isNamed = ({ address }: UdpPorts): boolean => address !== undefined && isIP(address) === 0;

/** An entry for more players, from the same first ports on; undefined: not enough ports. */
export function widened({ address, outside, inside }: UdpPorts, count: number): string | undefined {
  const [to, inTo] = [outside.from + count - 1, inside.from + count - 1];
  if (to > MAX_PORT || inTo > MAX_PORT) return undefined;
  const within = `${inside.from}-${inTo}`;
  if (address === undefined && outside.from === inside.from) return within;
  return `${address === undefined ? "" : `${address}:`}${outside.from}-${to}:${within}`;
}
