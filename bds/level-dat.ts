import { type Fault, isFault } from "./fault.ts";
import { type Files, UnusableFile } from "./files.ts";
import { byteTag, compoundTag, readInts, readTag, readTags, TAG, type Tag, TooDeep } from "./nbt.ts";

/** Switches of the compound `experiments` that turn the Beta APIs on. */
export const BETA_SWITCHES = ["gametest", "experiments_ever_used", "saved_with_toggled_experiments"] as const;

const HEADER_BYTES = 8;
const EXPERIMENTS = "experiments";

interface LevelDat {
  /** version of the game that opened it last, such as `[1, 26, 60, 6]` */
  openedWith: number[] | undefined;
  /** every experiment and whether it is on */
  experiments: Record<string, boolean>;
  /** whether scripts may use beta modules */
  betaApis: boolean;
}

/**
 * Whether the world has had an experiment on, or has one on now. The game writes that into the world when it saves it, not when a
 * tool turns an experiment on.
 */
export const hasUsedExperiments = ({ experiments }: LevelDat): boolean =>
  Object.values(experiments).includes(true);

/** Reads the level.dat at a path; undefined: there is no such file. */
export function levelDatAt(path: string, files: Files): LevelDat | Fault | undefined {
  try {
    const bytes = files.kindOf(path) === "file" ? files.read(path) : undefined;
    return bytes && readLevelDat(bytes);
  } catch (error) {
    if (error instanceof UnusableFile) return { fault: error.message.replace(`${path}: `, "it ") };
    throw error;
  }
}

/** Parses a level.dat: a header of eight bytes, then little-endian NBT. */
export function readLevelDat(bytes: Uint8Array): LevelDat | Fault {
  const found = walk(bytes);
  if (isFault(found)) return found;
  const { view, root, switches } = found;
  const opened = root.find(tag => tag.name === "lastOpenedWithVersion" && tag.type === TAG.list);
  const experiments = switches.flatMap((tag): [string, boolean][] =>
    tag.type === TAG.byte ? [[tag.name, view.getInt8(tag.payload) !== 0]] : [],
  );
  return {
    // The fifth number is for betas only.
    openedWith: opened && readInts(view, opened.payload)?.slice(0, 4),
    experiments: Object.fromEntries(experiments),
    betaApis: offOf(found).length === 0,
  };
}

/**
 * Turns the Beta APIs on. Nothing is decoded and encoded again: the bytes of switches change, or missing switches are inserted
 * and the length in the header grows. Returns the given bytes when the switches are on already.
 */
export function enableBetaApis(bytes: Uint8Array): { bytes: Uint8Array } | Fault {
  const found = walk(bytes);
  if (isFault(found)) return found;
  const { root, experiments, switches } = found;
  const off = offOf(found);
  if (off.length === 0) return { bytes };
  const result = Uint8Array.from(bytes);
  const missing: string[] = [];
  for (const name of off) {
    const tag = switches.find(each => each.name === name);
    if (tag === undefined) missing.push(name);
    else if (tag.type !== TAG.byte)
      return { fault: `${EXPERIMENTS} / ${name} is not a switch: expected a byte` };
    else result[tag.payload] = 1;
  }
  const tags = missing.flatMap(byteTag);
  if (tags.length === 0) return { bytes: result };
  const end = experiments === undefined ? root.at(-1) : switches.at(-1);
  return { bytes: insert(result, end?.start ?? 0, experiments ? tags : compoundTag(EXPERIMENTS, tags)) };
}

interface Walk {
  view: DataView;
  root: Tag[];
  experiments: Tag | undefined;
  /** tags of `experiments`, its end tag included */
  switches: Tag[];
}

function walk(bytes: Uint8Array): Walk | Fault {
  const fault = headerFault(bytes);
  if (fault !== undefined) return { fault };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const top = readTag(view, HEADER_BYTES);
    if (top.end !== bytes.length) return { fault: `it is damaged: its content ends at byte ${top.end}` };
    const root = readTags(view, top.payload);
    const named = root.filter(tag => tag.name === EXPERIMENTS);
    const [experiments] = named;
    if (named.length > 1) return { fault: `it is damaged: ${EXPERIMENTS} appears twice` };
    if (experiments === undefined) return { view, root, experiments, switches: [] };
    if (experiments.type !== TAG.compound) return { fault: `${EXPERIMENTS}: expected a compound` };
    return { view, root, experiments, switches: readTags(view, experiments.payload) };
  } catch (error) {
    if (error instanceof TooDeep) return { fault: error.message };
    if (!(error instanceof RangeError)) throw error;
    return { fault: "it is damaged: its content is not NBT" };
  }
}

function headerFault(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0) return "it is empty";
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    return "it is a level.dat of Java Edition, expected one of Bedrock";
  if (bytes.length < HEADER_BYTES) return `it is truncated: it has ${bytes.length} bytes`;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
  const content = bytes.length - HEADER_BYTES;
  if (bytes[HEADER_BYTES] !== TAG.compound) return "it is not a level.dat of Bedrock";
  if (length > content) return `it is truncated: its header says ${length} bytes, but it has ${content}`;
  if (length < content) return `its header says ${length} bytes, but it has ${content}`;
  return undefined;
}

const offOf = ({ view, switches }: Walk): string[] =>
  BETA_SWITCHES.filter(
    name =>
      !switches.some(tag => tag.name === name && tag.type === TAG.byte && view.getInt8(tag.payload) === 1),
  );

function insert(bytes: Uint8Array, at: number, more: readonly number[]): Uint8Array {
  const result = new Uint8Array(bytes.length + more.length);
  result.set(bytes.subarray(0, at));
  result.set(more, at);
  result.set(bytes.subarray(at), at + more.length);
  new DataView(result.buffer).setUint32(4, result.length - HEADER_BYTES, true);
  return result;
}
