import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { openLinksFile } from "../../../test/helpers/files.ts";
import { eachInFolder, folder } from "../../../test/helpers/folder.ts";
import { RecordingLog } from "../../../test/helpers/log.ts";
import { createMemorySignIn } from "../../../test/helpers/memory-store.ts";
import { describeSignIn } from "./records.contract.ts";
import { SIGN_IN_SECRETS } from "./secrets-file.ts";

eachInFolder("sign-in ");

const open = () => openLinksFile(folder, new RecordingLog());

describeSignIn("sign-ins in memory", async clock => createMemorySignIn(() => clock.monotonic()));
describeSignIn("sign-ins in a file", async clock => open().signIn(() => clock.monotonic()));

it("sign-ins in a file are available to another process, and after a restart", async () => {
  const [one, other] = [open(), open()];
  await one.signIn(() => 0).put("a", "text", 1_000);
  expect(await other.signIn(() => 0).use("a")).toBe(true);
  expect(await one.signIn(() => 0).use("a")).toBe(false);
  await one.close();
  expect(
    await open()
      .signIn(() => 0)
      .get("a"),
  ).toMatchObject({ text: "text", isUsed: true });
});

it("the secrets of sign-ins are in a file readable only by this user, without temporary files beside it", async () => {
  const store = open().signIn(() => 0);
  await store.replaceSecrets("", "one");
  await store.replaceSecrets("one", "two");
  expect(statSync(join(folder, SIGN_IN_SECRETS)).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).filter(name => name.startsWith(SIGN_IN_SECRETS))).toEqual([SIGN_IN_SECRETS]);
});
