import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach } from "@jest/globals";

/** Another one for each test of a file that has asked for it. It goes with the file's temporary folder. */
export let folder = "";

export const eachInFolder = (name: string): void =>
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), name));
  });
