import { isAbsolute } from "node:path";
import { bool, check, type Guard, int, list, object, oneOf, optional, text } from "../../shared/guard.ts";
import { serverName } from "../../sidecar/config/servers.ts";
import type { Fault } from "../bds/fault.ts";
import { isObject } from "../bds/json-text.ts";
import { inside } from "../bds/way.ts";
import type { Kind } from "./change.ts";
import { INFO_KEYS, type ServerInfo } from "./server-info.ts";

/** What a file was before setup, and what setup made of it. States are those of `stateOf`. */
export interface Entry {
  /** from the server's folder on, with `/`; absolute for the sidecar's configuration when it lies elsewhere */
  path: string;
  kind: Kind;
  before: { state: string; mode: number };
  /** every state that setup has given it, the last one last */
  after: string[];
}

export interface Journal {
  version: 1;
  entries: Entry[];
  /** folders that setup makes, outermost first */
  folders: string[];
  /** folders of older packs that setup empties and removes, outermost first */
  removed: { path: string; mode: number }[];
  /** address of the sidecar that `--bridge-url` has named; undefined: the one in its configuration */
  bridgeUrl: string | undefined;
  /** which of `servers` in the sidecar's configuration `--as` has named; undefined: the first game server */
  as: string | undefined;
  /** what setup has filled into the sidecar's configuration, by key */
  filled: ServerInfo | undefined;
  /** everything is taken back, only the journal itself is left */
  undone: boolean;
}

/** States are names of files too. */
const STATE = /^(gone|[0-9a-f]{64})$/;
const MAX_MODE = 0o7777;
/** Most files and folders that a journal may name. */
const MAX_ENTRIES = 5000;
const DAMAGED = "expected what setup has written there";

/** Whether a text is an address of a sidecar, without slash at its end. */
export const isAddress = (text: string): boolean =>
  /^https?:\/\/[^\s/?#]+(\/[^\s?#]*[^\s?#/])?$/i.test(text) && URL.canParse(text);

const which =
  <T>(is: (value: unknown) => value is T): Guard<T> =>
  (value, path) =>
    is(value) ? undefined : path;

const path = text(Number.POSITIVE_INFINITY);
const mode = int(0, MAX_MODE);
const state = which((value): value is string => typeof value === "string" && STATE.test(value));
const journal = object({
  entries: list(
    object({
      path,
      kind: oneOf("pack", "json", "properties", "level", "yaml"),
      before: object({ state, mode }),
      after: list(state, MAX_ENTRIES),
    }),
    MAX_ENTRIES,
  ),
  folders: list(path, MAX_ENTRIES),
  removed: list(object({ path, mode }), MAX_ENTRIES),
  bridgeUrl: optional(which((value): value is string => typeof value === "string" && isAddress(value))),
  as: optional(which((value): value is string => "value" in serverName.read(value, ""))),
  filled: optional(
    which(
      (value): value is ServerInfo =>
        isObject(value) &&
        INFO_KEYS.every(key => ["undefined", "string", "number"].includes(typeof value[key])),
    ),
  ),
  undone: bool,
});

/**
 * The journal in a value of JSON. Whoever owns the server's folder can write one, so each path has to lie in it, and
 * nothing but a configuration may be named elsewhere.
 * @param root the server's folder
 */
export function readJournalValue(root: string, value: unknown): { value: Journal } | Fault {
  const read = check(journal, value);
  if ("fault" in read) {
    const part = /^body\.(\w+)/.exec(read.fault)?.[1];
    return { fault: part === undefined ? DAMAGED : `${part}: ${DAMAGED}` };
  }
  const { entries, folders, removed, bridgeUrl, as, filled, undone } = read.value;
  const below = [
    ...entries.filter(entry => !isElsewhere(root, entry)).map(({ path }) => path),
    ...folders,
    ...removed.map(({ path }) => path),
  ];
  const out = below.find(path => !isBelow(root, path));
  if (out !== undefined) return { fault: `${out}: expected a path that lies in ${root}` };
  return { value: { version: 1, entries, folders, removed, bridgeUrl, as, filled, undone } };
}

/** Whether an entry is that of a configuration outside the server's folder. */
export const isElsewhere = (root: string, { path, kind }: Entry): boolean =>
  kind === "yaml" && isAbsolute(path) && inside(root, path) === undefined;

/** Whether a path names something in a folder, and says so without a way round. */
const isBelow = (root: string, path: string): boolean =>
  !/(^|[\\/])\.\.([\\/]|$)|\0/.test(path) && (inside(root, path) ?? "") !== "";
