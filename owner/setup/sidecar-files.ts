import { dirname } from "node:path";
import { isErrno, reasonOf } from "../../cli/errno.ts";
import { textIn } from "../../sidecar/config/text-file.ts";
import { MOST_BYTES } from "../bds/bounds.ts";
import { configArea } from "../bds/sidecar-area.ts";
import { Mendable } from "../bds/way.ts";
import { missingFolders } from "./apply.ts";
import { Refusal } from "./change.ts";
import { type Disk, diskIn } from "./disk.ts";

/**
 * A disk of which the folder of the sidecar's configuration is reached as its owner, when root works in the folder of
 * another user.
 * @param path of the configuration, absolute
 */
export function sidecarDisk(path: string, disk: Disk): Disk {
  const area = configArea(path);
  return area === undefined ? disk : diskIn(area, disk);
}

/** Makes the configuration as the sidecar would on its first start. */
export function makeConfig(path: string, text: string, disk: Disk): void {
  // Keys will be written into it.
  const [folderMode, mode] = [0o755, 0o600];
  for (const folder of missingFolders(dirname(path), disk)) disk.makeFolder(folder, folderMode);
  try {
    disk.create(path, Buffer.from(text), mode);
  } catch (error) {
    if (!isErrno(error, "EEXIST")) throw error;
  }
}

/** The text of the configuration; undefined when there is none. Throws `Refusal` when it cannot be read. */
export function readYaml(path: string, disk: Disk): string | undefined {
  try {
    const bytes = disk.read(path, MOST_BYTES.settings);
    if (bytes === undefined) return undefined;
    const text = textIn(bytes);
    if ("value" in text) return text.value;
    throw new Refusal(`${path}: cannot be read: ${text.fault}`);
  } catch (error) {
    if (error instanceof Refusal || error instanceof Mendable || isErrno(error, "EOUTSIDE", "EUNFIT"))
      throw error;
    throw new Refusal(`${path}: cannot be read: ${reasonOf(error)}`);
  }
}
