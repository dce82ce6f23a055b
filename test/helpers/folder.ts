import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach } from "@jest/globals";

/** A folder of this name, and more of it. It goes with the temporary folder of the file of tests. */
export const newFolder = (name: string): string => mkdtempSync(join(tmpdir(), name));

/** Another one for each test of a file that has asked for it. */
export let folder = "";

export const eachInFolder = (name: string): void =>
  beforeEach(() => {
    folder = newFolder(name);
  });
