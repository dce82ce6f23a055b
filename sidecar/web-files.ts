import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isErrno } from "../cli/errno.ts";

/** A file of the web console, or the client for pages. */
export interface WebFile {
  /** path below `/`, such as `assets/main.1a2b3c4d.js` */
  path: string;
  content: Buffer;
}

/** Where the built console lies: beside the folder of the built program, or below the folder of an unpacked archive. */
const PLACES = ["../web/", "./dist/web/"];

/** The files of the web console and the client; none when it has not been built. */
export function readWebFiles(program = import.meta.url): WebFile[] {
  for (const place of PLACES) {
    const files = filesBelow(fileURLToPath(new URL(place, program)));
    if (files.some(({ path }) => path === "index.html")) return files;
  }
  return [];
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
