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

/** Text of the guest: as built, beside a built simulator; bundled on the spot when run from source. */
export function guestSource(): Promise<string> {
  source ??= import.meta.url.endsWith(".ts")
    ? bundleGuest()
    : readFile(new URL("./guest.js", import.meta.url), "utf8");
  return source;
}
