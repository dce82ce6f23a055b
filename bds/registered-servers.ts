import { check, checkJson, type Guard, object, optional, text } from "../shared/guard.ts";

/** Beside the sidecar's token: the servers that were set up for it, the last one first. */
export const REGISTERED_SERVERS_FILE = "server.json";
/** Twice as many as one sidecar can be for. */
const MAX_SERVERS = 64;
const LONGEST_PATH = 4096;
const LONGEST_NAME = 32;

/** A server that was set up for a sidecar: its folder, and the name of its world. */
export interface RegisteredServer {
  server: string;
  world: string;
  /** what the configuration calls it in `servers`; undefined: it is the first one */
  name?: string | undefined;
}

const anything: Guard<unknown> = () => undefined;
const file = object({ servers: anything });
const noted = object({
  server: text(LONGEST_PATH),
  world: text(LONGEST_PATH),
  name: optional(text(LONGEST_NAME, 1)),
});

/** What such a file holds; of a damaged one what can be read. An earlier version has noted one server. */
export function parseRegisteredServers(json: string): RegisteredServer[] {
  const read = checkJson(file, json);
  if ("fault" in read) return [];
  const { servers = [read.value] } = read.value;
  if (!Array.isArray(servers)) return [];
  return servers.slice(0, MAX_SERVERS).flatMap((each: unknown) => {
    const one = check(noted, each);
    return "value" in one ? [plain(one.value)] : [];
  });
}

/** The text of such a file with another server, which was set up last. */
export const withRegisteredServer = (before: readonly RegisteredServer[], last: RegisteredServer): string =>
  `${JSON.stringify({
    servers: [plain(last), ...before.filter(each => each.server !== last.server)].slice(0, MAX_SERVERS),
  })}\n`;

const plain = ({ server, world, name }: RegisteredServer): RegisteredServer => ({
  server,
  world,
  ...(name !== undefined && { name }),
});
