import { dirname } from "node:path";
import { systemFiles } from "../../bds/system.ts";
import { isErrno, reasonOf } from "../../cli/errno.ts";
import { textIn } from "../../sidecar/config/text-file.ts";
import { missingFolders } from "./apply-changes.ts";
import { Refusal } from "./change.ts";
import { systemDisk } from "./disk.ts";

/** Writes a first configuration, for its owner only: keys will be in it. */
export function makeConfig(path: string, text: string): void {
  for (const folder of missingFolders(dirname(path), systemDisk)) systemDisk.makeFolder(folder);
  systemDisk.write(path, Buffer.from(text), 0o600);
}

/** The text of the configuration; undefined: it is missing. Throws `Refusal` when it cannot be read. */
export function readYaml(path: string): string | undefined {
  try {
    const bytes = systemFiles.read(path);
    if (bytes === undefined) return undefined;
    const text = textIn(bytes);
    if ("value" in text) return text.value;
    throw new Refusal(`${path}: cannot be read: ${text.fault}`);
  } catch (error) {
    if (error instanceof Refusal || isErrno(error, "EUNFIT")) throw error;
    throw new Refusal(`${path}: cannot be read: ${reasonOf(error)}`);
  }
}
