import { EXIT } from "../../cli/arguments.ts";
import { messageOf } from "../../cli/errno.ts";
import { readConfigFile } from "../../sidecar/config/load.ts";
import type { Config } from "../../sidecar/config/settings.ts";
import { renewSecrets } from "../../sidecar/features/sign-in/secrets.ts";
import { secretsFile } from "../../sidecar/features/sign-in/secrets-file.ts";
import { systemClock } from "../../sidecar/platform/clock.ts";
import { failed } from "./output.ts";
import { connected } from "./redis.ts";

/** Makes new keys for sign-ins. Returns the exit code. */
export async function rotateSignIn(file: string): Promise<number> {
  const read = readConfigFile(file, process.env);
  if ("faults" in read) return failed(read.faults);
  try {
    const isDone = await renewed(read.config);
    if (!isDone) return failed(["another process has just made new keys: nothing was changed"]);
  } catch (error) {
    return failed([`the sign-in keys cannot be replaced: ${messageOf(error)}`]);
  }
  console.log(
    "New keys were made. They are used in two minutes, or from the next start; the old ones stay valid for one more day.",
  );
  return EXIT.done;
}

async function renewed({ storage }: Config): Promise<boolean> {
  const { kind, folder } = storage;
  if (kind === "embedded") return renewSecrets(secretsFile(folder), systemClock.now());
  const { createSecretStore } = await import("../../sidecar/features/sign-in/records.ts");
  const { createRedisRecords } = await import("../../sidecar/kernel/storage/redis/records.ts");
  const redis = await connected(storage);
  try {
    return await renewSecrets(
      createSecretStore(createRedisRecords(redis, () => undefined)),
      Math.round(redis.now()),
    );
  } finally {
    redis.close();
  }
}
