import { dirname } from "node:path";
import { systemFiles } from "../../bds/system.ts";
import { isErrno, reasonOf } from "../../cli/errno.ts";
import { textIn } from "../../sidecar/config/text-file.ts";
import { missingFolders } from "./apply-changes.ts";
import { Refusal } from "./change.ts";
import { systemDisk } from "./disk.ts";

/** Makes the configuration as the sidecar would on its first start. Keys will be written into it: it is for its owner only. */
export function makeConfig(path: string, text: string): void {
  for (const folder of missingFolders(dirname(path), systemDisk)) systemDisk.makeFolder(folder);
  systemDisk.write(path, Buffer.from(text), 0o600);
}

/** The text of the configuration; undefined when there is none. Throws `Refusal` when it cannot be read. */
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
