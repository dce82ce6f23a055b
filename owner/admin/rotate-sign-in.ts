import { EXIT } from "../../cli/arguments.ts";
import { messageOf } from "../../cli/errno.ts";
import { renewSecrets } from "../../sidecar/app/sign-in-secrets.ts";
import { systemClock } from "../../sidecar/clock.ts";
import { readConfigFile } from "../../sidecar/config/load.ts";
import type { Config } from "../../sidecar/config/settings.ts";
import { signInSecrets } from "../../sidecar/store/sign-in-secrets.ts";
import { failed } from "./told.ts";

/** How long Redis may take, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** Makes new keys for sign-ins. Ends with the exit code. */
export async function rotateSignIn(file: string): Promise<number> {
  const read = readConfigFile(file, process.env);
  if ("faults" in read) return failed(read.faults);
  try {
    const isDone = await renewed(read.config);
    if (!isDone) return failed(["somebody else has made new keys in this moment: nothing was changed"]);
  } catch (error) {
    return failed([`the keys of sign-ins cannot be replaced: ${messageOf(error)}`]);
  }
  console.log(
    "New keys were made. They count in two minutes, or with the next start, and the ones before them for a day longer.",
  );
  return EXIT.done;
}

async function renewed({ storage }: Config): Promise<boolean> {
  const { kind, folder, ...settings } = storage;
  if (kind === "embedded") return renewSecrets(signInSecrets(folder), systemClock.now());
  // Whoever has one sidecar does not load any of it.
  const { createConnection } = await import("../../sidecar/redis/connection.ts");
  const { createRedisSignIn } = await import("../../sidecar/redis/sign-in.ts");
  const redis = createConnection({
    settings,
    clock: systemClock,
    log: { info: () => undefined, error: () => undefined },
  });
  let cancel = (): void => undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = (): void => reject(new Error(`Redis gave no answer within ${TIMEOUT_MS / 1000} s`));
    cancel = systemClock.after(TIMEOUT_MS, fail);
  });
  try {
    await Promise.race([redis.start(), late]);
    return await Promise.race([
      renewSecrets(createRedisSignIn(redis, redis.now), Math.round(redis.now())),
      late,
    ]);
  } finally {
    cancel();
    redis.close();
  }
}
