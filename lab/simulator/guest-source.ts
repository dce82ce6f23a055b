import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** Path of the built guest, from a program in `dist` and from here. */
const PLACES = ["../simulator/guest.js", "../../dist/simulator/guest.js"];

let source: Promise<string> | undefined;

/** Text of the built guest, an ES module. */
export function guestSource(): Promise<string> {
  const path = PLACES.map(place => fileURLToPath(new URL(place, import.meta.url))).find(existsSync);
  if (path === undefined) throw new Error("dist/simulator/guest.js is missing: run the build first");
  source ??= readFile(path, "utf8");
  return source;
}
