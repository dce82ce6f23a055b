import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isErrno } from "../../../cli/errno.ts";
import { makeFolders } from "../../../cli/folders.ts";
import { makeSecretFile, replaceSecretFile } from "../../../cli/secret-file.ts";
import type { SecretStore } from "./records.ts";

export const SIGN_IN_SECRETS = "sign-in-secrets";

/** The secrets of sign-ins in a file of a folder, for this user only. */
export function secretsFile(folder: string): SecretStore {
  const file = join(folder, SIGN_IN_SECRETS);

  function read(): string {
    try {
      return readFileSync(file, "utf8").trim();
    } catch (error) {
      if (isErrno(error, "ENOENT")) return "";
      throw error;
    }
  }

  return {
    secrets: async () => read(),
    async replaceSecrets(before, after) {
      makeFolders(folder);
      if (before === "") return makeSecretFile(file, after);
      if (read() !== before) return false;
      replaceSecretFile(file, after);
      return true;
    },
  };
}
