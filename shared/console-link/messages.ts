import { anything, checkJson, type Infer, list, object, optional, tagged, text } from "../guard.ts";
import { NAME_LENGTH, PLAYER_ID_LENGTH, REASON_LENGTH, WORLD_NAME_LENGTH } from "../limits.ts";

// Messages of the console link: a word for the kind, then its parts, then text to the end. Bodies of requests travel as they are:
// as a JSON string they would be escaped twice.

/** What only the game's console can do. `allowlist`: the answer is the list of names; `listed`: true or false. */
const task = tagged("do", {
  allowlist: object({}),
  listed: object({ name: text(NAME_LENGTH, 1) }),
  "allowlist-add": object({ name: text(NAME_LENGTH, 1) }),
  "allowlist-remove": object({ name: text(NAME_LENGTH, 1) }),
  kick: object({ name: text(NAME_LENGTH, 1), reason: optional(text(REASON_LENGTH)) }),
});
export type Task = Infer<typeof task>;

/** Guard of the result of `allowlist`. */
export const allowlistNames = list(text(1_000), 100_000);

/** What the console says of a player who is online. Without `persistentId`: it says nothing, or contradicts itself. */
const player = object({ name: text(NAME_LENGTH, 1), persistentId: optional(text(PLAYER_ID_LENGTH, 1)) });
export type ConsolePlayer = Infer<typeof player>;

/** Most players in one message: far more than can be online. */
export const MAX_PLAYERS = 1_000;
const players = list(player, MAX_PLAYERS);

/** Address of the bridge listener, and name of the world: what the pack would read from its settings. */
const settings = object({ url: text(2_000, 1), world: optional(text(WORLD_NAME_LENGTH)) });
export type LinkSettings = Infer<typeof settings>;

/** From the pack to `launch`. */
export type FromPack =
  /** This run of the pack has its key: everything from `launch` is for it from now on. */
  | { is: "ready" }
  | { is: "request"; id: number; path: string; timeoutSeconds: number; body: string }
  | { is: "task"; id: number; task: Task };

/** From `launch` to the pack. `failed`: the request has no answer, or the task could not be done; `why` is the name of an error. */
export type FromLaunch =
  | { is: "answer"; id: number; status: number; body: string }
  | { is: "failed"; id: number; why: string }
  | { is: "result"; id: number; value: unknown }
  | { is: "players"; players: readonly ConsolePlayer[] }
  | ({ is: "settings" } & LinkSettings);

const NOT_ASCII = /[^ -~]/g;

/** JSON in ASCII: other characters, which occur only in its texts, as escape sequences. */
const ascii = (json: string): string =>
  // The game's engine searches much faster than it replaces.
  json.search(NOT_ASCII) < 0
    ? json
    : json.replace(NOT_ASCII, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** The message as text in ASCII. @throws if a body has line breaks or other control characters, which JSON has not */
export function writeFromPack(message: FromPack): string {
  if (message.is === "ready") return "ready";
  return message.is === "request"
    ? `request ${message.id} ${message.path} ${message.timeoutSeconds} ${ascii(message.body)}`
    : `task ${message.id} ${ascii(JSON.stringify(message.task))}`;
}

/** undefined: not a message of the pack */
export function readFromPack(written: string): FromPack | undefined {
  if (written === "ready") return { is: "ready" };
  const request = /^request (\d{1,9}) (\/\S*) (\d{1,4}) /.exec(written);
  if (request !== null) {
    const [head, id, path = "", seconds] = request;
    return {
      is: "request",
      id: Number(id),
      path,
      timeoutSeconds: Number(seconds),
      body: written.slice(head.length),
    };
  }
  const [head, id] = /^task (\d{1,9}) /.exec(written) ?? [];
  const read = head === undefined ? undefined : checkJson(task, written.slice(head.length));
  return read !== undefined && "value" in read ? { is: "task", id: Number(id), task: read.value } : undefined;
}

export function writeFromLaunch(message: FromLaunch): string {
  switch (message.is) {
    case "answer":
      return `answer ${message.id} ${message.status} ${message.body}`;
    case "failed":
      return `failed ${message.id} ${message.why}`;
    case "result":
      return `result ${message.id} ${JSON.stringify(message.value)}`;
    case "players":
      return `players ${JSON.stringify(message.players)}`;
    case "settings":
      return `settings ${JSON.stringify({ url: message.url, world: message.world })}`;
  }
}

/** undefined: not a message of `launch` */
export function readFromLaunch(written: string): FromLaunch | undefined {
  const space = written.indexOf(" ");
  const kind = written.slice(0, space);
  const rest = written.slice(space + 1);
  if (kind === "players") {
    const read = checkJson(players, rest);
    return "value" in read ? { is: "players", players: read.value } : undefined;
  }
  if (kind === "settings") {
    const read = checkJson(settings, rest);
    return "value" in read ? { is: "settings", ...read.value } : undefined;
  }
  const [head = "", id = ""] = /^(\d{1,9}) /.exec(rest) ?? [];
  if (head === "") return undefined;
  const tail = rest.slice(head.length);
  if (kind === "failed") return { is: "failed", id: Number(id), why: tail };
  if (kind === "result") {
    const read = checkJson(anything, tail);
    return "value" in read ? { is: "result", id: Number(id), value: read.value } : undefined;
  }
  const [status = ""] = /^\d{3}(?= )/.exec(tail) ?? [];
  if (kind !== "answer" || status === "") return undefined;
  return { is: "answer", id: Number(id), status: Number(status), body: tail.slice(status.length + 1) };
}
