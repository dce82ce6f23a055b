import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { orElse } from "../../cli/errno.ts";

/** Name of the file in the storage folder from which setup and doctor learn how the sidecar is run. */
export const RUN_BY_FILE = "run-by";

/**
 * Stores how this sidecar is run, or that it was started by hand. Failures are ignored.
 * @param by value of the variable that recipes set; undefined: none
 */
export function noteRunBy(folder: string, by: string | undefined): void {
  note(join(folder, RUN_BY_FILE), by);
}

function note(path: string, text: string | undefined): void {
  try {
    if (text === undefined) rmSync(path, { force: true });
    else writeFileSync(path, `${text}\n`);
  } catch {
    // Advice is then as for a sidecar started by hand, and the health check uses the configuration.
  }
}

/** The file for the public address. Units of one systemd template share the folder, each with its own port. */
const addressFile = (folder: string, ownPort: string | undefined): string =>
  join(folder, ownPort ? `public-address-${ownPort}` : "public-address");

/**
 * Stores the address of the public listener for the health check, since the configuration may change later.
 * @param ownPort port that the environment names
 */
export const noteAddress = (
  folder: string,
  ownPort: string | undefined,
  { address, port }: { address: string; port: number },
): void => note(addressFile(folder, ownPort), `${address} ${port}`);

/** The noted address; undefined: none. */
export function notedAddress(
  folder: string,
  ownPort: string | undefined,
): { host: string; port: number } | undefined {
  const text = orElse(() => readFileSync(addressFile(folder, ownPort), "utf8"), "");
  const [, host, port] = /^(\S+) (\d{1,5})\n$/.exec(text) ?? [];
  return host === undefined ? undefined : { host, port: Number(port) };
}
