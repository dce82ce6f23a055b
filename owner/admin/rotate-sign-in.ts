import { EXIT } from "../../cli/arguments.ts";
import { messageOf } from "../../cli/errno.ts";
import { readConfigFile } from "../../sidecar/config/load.ts";
import type { Config } from "../../sidecar/config/settings.ts";
import { renewSecrets } from "../../sidecar/features/sign-in/secrets.ts";
import { signInSecrets } from "../../sidecar/kernel/storage/files/sign-in-secrets.ts";
import { systemClock } from "../../sidecar/platform/clock.ts";
import { connected } from "./redis.ts";
import { failed } from "./told.ts";

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
  const { kind, folder } = storage;
  if (kind === "embedded") return renewSecrets(signInSecrets(folder), systemClock.now());
  const { createRedisSignIn } = await import("../../sidecar/kernel/storage/redis/sign-in.ts");
  const redis = await connected(storage);
  try {
    return await renewSecrets(createRedisSignIn(redis, redis.now), Math.round(redis.now()));
  } finally {
    redis.close();
  }
}
