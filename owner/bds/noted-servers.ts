import { check, checkJson, type Guard, object, text } from "../../shared/guard.ts";

/** Beside the sidecar's token: the servers that were set up for it, the last one first. */
export const NOTED_FILE = "server.json";
const MAX_SERVERS = 16;
const LONGEST_PATH = 4096;

/** A server that was set up for a sidecar: its folder, and the name of its world. */
export interface Noted {
  server: string;
  world: string;
}

const anything: Guard<unknown> = () => undefined;
const file = object({ servers: anything });
const noted = object({ server: text(LONGEST_PATH), world: text(LONGEST_PATH) });

/** What such a file holds; of a damaged one what can be read. An earlier version has noted one server. */
export function readNoted(json: string): Noted[] {
  const read = checkJson(file, json);
  if ("fault" in read) return [];
  const { servers = [read.value] } = read.value;
  if (!Array.isArray(servers)) return [];
  return servers.slice(0, MAX_SERVERS).flatMap((each: unknown) => {
    const one = check(noted, each);
    return "value" in one ? [{ server: one.value.server, world: one.value.world }] : [];
  });
}

/** The text of such a file with another server, which was set up last. */
export const withNoted = (before: readonly Noted[], { server, world }: Noted): string =>
  `${JSON.stringify({
    servers: [{ server, world }, ...before.filter(each => each.server !== server)].slice(0, MAX_SERVERS),
  })}\n`;
