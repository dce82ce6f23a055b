import { isAbsolute } from "node:path";
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
  /** what setup has filled into the sidecar's configuration, by key */
  filled: ServerInfo | undefined;
  /** everything is taken back, only the journal itself is left */
  undone: boolean;
}

const KINDS: readonly Kind[] = ["pack", "json", "properties", "level", "yaml"];
/** States are names of files too. */
const STATE = /^(gone|[0-9a-f]{64})$/;
const MAX_MODE = 0o7777;
/** Most files and folders that a journal may name. */
const MAX_ENTRIES = 5000;
const DAMAGED = "expected what setup has written there";

/**
 * The journal in a value of JSON. Whoever owns the server's folder can write one, so each path has to lie in it, and
 * nothing but a configuration may be named elsewhere.
 * @param root the server's folder
 */
export function readJournalValue(root: string, read: unknown): { value: Journal } | Fault {
  if (!isObject(read)) return { fault: DAMAGED };
  const { entries, folders, removed, bridgeUrl, filled, undone } = read;
  if (!isListOf(entries, isEntry)) return { fault: `entries: ${DAMAGED}` };
  if (!isListOf(folders, isText)) return { fault: `folders: ${DAMAGED}` };
  if (!isListOf(removed, isFolder)) return { fault: `removed: ${DAMAGED}` };
  if (bridgeUrl !== undefined && !(isText(bridgeUrl) && isAddress(bridgeUrl)))
    return { fault: `bridgeUrl: ${DAMAGED}` };
  if (filled !== undefined && !isServerInfo(filled)) return { fault: `filled: ${DAMAGED}` };
  if (typeof undone !== "boolean") return { fault: `undone: ${DAMAGED}` };
  const below = [
    ...entries.filter(entry => !isElsewhere(root, entry)).map(({ path }) => path),
    ...folders,
    ...removed.map(({ path }) => path),
  ];
  const out = below.find(path => !isBelow(root, path));
  if (out !== undefined) return { fault: `${out}: expected a path that lies in ${root}` };
  return { value: { version: 1, entries, folders, removed, bridgeUrl, filled, undone } };
}

/** Whether a text is an address of a sidecar, without slash at its end. */
export const isAddress = (text: string): boolean =>
  /^https?:\/\/[^\s/?#]+(\/[^\s?#]*[^\s?#/])?$/i.test(text) && URL.canParse(text);

/** Whether an entry is that of a configuration outside the server's folder. */
export const isElsewhere = (root: string, { path, kind }: Entry): boolean =>
  kind === "yaml" && isAbsolute(path) && inside(root, path) === undefined;

/** Whether a path names something in a folder, and says so without a way round. */
const isBelow = (root: string, path: string): boolean =>
  !/(^|[\\/])\.\.([\\/]|$)|\0/.test(path) && (inside(root, path) ?? "") !== "";

const isServerInfo = (value: unknown): value is ServerInfo =>
  isObject(value) && INFO_KEYS.every(key => ["undefined", "string", "number"].includes(typeof value[key]));

const isText = (value: unknown): value is string => typeof value === "string";

const isState = (value: unknown): value is string => isText(value) && STATE.test(value);

const isMode = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_MODE;

const isFolder = (value: unknown): value is Journal["removed"][number] =>
  isObject(value) && isText(value.path) && isMode(value.mode);

const isEntry = (value: unknown): value is Entry =>
  isObject(value) &&
  isText(value.path) &&
  KINDS.some(kind => kind === value.kind) &&
  isObject(value.before) &&
  isState(value.before.state) &&
  isMode(value.before.mode) &&
  isListOf(value.after, isState);

const isListOf = <T>(value: unknown, is: (item: unknown) => item is T): value is T[] =>
  Array.isArray(value) && value.length <= MAX_ENTRIES && value.every(is);
