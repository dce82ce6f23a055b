import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { posix } from "node:path";
import { overlaps } from "../../bds/address.ts";
import { orElse } from "../../cli/errno.ts";

export type Protocol = "tcp" | "udp";

/** A program that listens at a port; undefined: not known to this user. */
export interface PortOwner {
  pid: number | undefined;
  program: string | undefined;
}

/** The program that listens at a port of this machine; undefined: none, or not known, as on Windows. */
export async function portOwner(
  port: number,
  host: string,
  protocol: Protocol = "tcp",
): Promise<PortOwner | undefined> {
  const tables = [protocol, `${protocol}6`];
  const lines = tables.flatMap(table => orElse(() => textOf(`/proc/net/${table}`), "").split("\n"));
  const inode = lines
    .map(line => listenerIn(line, protocol))
    .find(each => each?.port === port && overlaps(each.host, host))?.inode;
  if (inode === undefined) return undefined;
  const link = `socket:[${inode}]`;
  const pid = orElse(() => readdirSync("/proc"), [])
    .filter(name => /^\d+$/.test(name))
    .find(name => {
      const folder = `/proc/${name}/fd`;
      return orElse(() => readdirSync(folder), []).some(
        handle => orElse(() => readlinkSync(`${folder}/${handle}`), "") === link,
      );
    });
  if (pid === undefined) return { pid: undefined, program: undefined };
  const program = orElse(
    () => posix.basename(readlinkSync(`/proc/${pid}/exe`)),
    orElse(() => textOf(`/proc/${pid}/comm`).trim(), undefined),
  );
  return { pid: Number(pid), program };
}

/** `  0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  0  0 12345 ...` */
const LINE = /^\s*\d+: ([0-9A-F]+):([0-9A-F]{4}) \S+ ([0-9A-F]{2}) (?:\S+\s+){5}(\d+) /;
/** States of listening sockets. */
const LISTENS = { tcp: "0A", udp: "07" };

/** The listener in a line of /proc/net/tcp or udp; undefined: the line has none. */
export function listenerIn(
  line: string,
  protocol: Protocol = "tcp",
): { host: string; port: number; inode: string } | undefined {
  const [, address = "", port = "", state, inode] = LINE.exec(line) ?? [];
  if (inode === undefined || state !== LISTENS[protocol]) return undefined;
  return { host: hostOf(address), port: Number.parseInt(port, 16), inode };
}

/** The kernel writes addresses in words of four bytes, each with the lowest byte first. */
function hostOf(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap(word => (word.match(/../g) ?? []).reverse());
  const numbers = bytes.map(byte => Number.parseInt(byte, 16));
  if (numbers.length === 4) return numbers.join(".");
  if (numbers.every(byte => byte === 0)) return "::";
  return numbers.slice(0, -1).every(byte => byte === 0) ? `::${numbers.at(-1)}` : hex;
}

const textOf = (path: string): string => readFileSync(path, "utf8");
