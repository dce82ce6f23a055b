import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isErrno } from "../../../cli/errno.ts";

/** A file of the web console, or the client for websites. */
export interface WebFile {
  /** path below `/`, such as `assets/main.1a2b3c4d.js` */
  path: string;
  content: Buffer;
}

/** The files of the web console and the client, beside the folder of the built program; none if it has not been built. */
export function readWebFiles(program = import.meta.url): WebFile[] {
  const files = filesBelow(fileURLToPath(new URL("../web/", program)));
  return files.some(({ path }) => path === "index.html") ? files : [];
}

function filesBelow(folder: string, prefix = ""): WebFile[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap(entry =>
      entry.isDirectory()
        ? filesBelow(join(folder, entry.name), `${prefix}${entry.name}/`)
        : [{ path: `${prefix}${entry.name}`, content: readFileSync(join(folder, entry.name)) }],
    );
  } catch (error) {
    if (isErrno(error, "ENOENT")) return [];
    throw error;
  }
}
