import { expect, it } from "@jest/globals";
import { newFolder } from "../test/helpers/folder.ts";
import { setupNotes } from "./setup-journal.ts";
import { systemFiles } from "./system.ts";

it("the notes of a setup that another user ran are empty where only that user may read them", () => {
  const kindOf = (): never => {
    throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
  };
  expect(setupNotes(newFolder("game-"), { ...systemFiles, kindOf })).toEqual({});
});
