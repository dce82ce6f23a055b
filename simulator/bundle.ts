import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** Entry of the guest; the build bundles it into `dist/simulator/guest.js`, an ES module text. */
export const guestEntry = fileURLToPath(new URL("./guest/main.ts", import.meta.url));

/** Bundles the guest. Needs the development dependencies. */
export async function bundleGuest(): Promise<string> {
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({ input: guestEntry, platform: "neutral" });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  return output[0].code;
}

let source: Promise<string> | undefined;

/** Text of the guest: as built when the simulator itself is built; bundled on the spot from source. */
export function guestSource(): Promise<string> {
  source ??= import.meta.url.endsWith(".ts") ? bundleGuest() : builtGuest();
  return source;
}

async function builtGuest(): Promise<string> {
  const places = [
    "./guest.js",
    "./simulator/guest.js",
    "../simulator/guest.js",
    "../dist/simulator/guest.js",
  ];
  for (const place of places) {
    const path = fileURLToPath(new URL(place, import.meta.url));
    if (existsSync(path)) return await readFile(path, "utf8");
  }
  throw new Error("dist/simulator/guest.js is missing: run the build first");
}
