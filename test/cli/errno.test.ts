import { statSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "@jest/globals";
import { codeOf, isErrno, messageOf, ownMend, pathOf, reasonIn, reasonOf } from "../../cli/errno.ts";
import { needs } from "../helpers/runner.ts";

const missing = (): unknown => {
  try {
    return statSync("/no such file");
  } catch (error) {
    return error;
  }
};

describe("an error of the system", () => {
  it("is known by its code and its path", () => {
    expect([codeOf(missing()), pathOf(missing()), reasonOf(missing())]).toEqual([
      "ENOENT",
      "/no such file",
      "ENOENT",
    ]);
    expect([isErrno(missing(), "EACCES", "ENOENT"), isErrno(missing(), "EACCES")]).toEqual([true, false]);
  });

  it("is known when it comes from another realm", () => {
    const foreign: unknown = runInNewContext('Object.assign(new Error("no"), { code: "EIO" })');
    expect(foreign).not.toBeInstanceOf(Error);
    expect([codeOf(foreign), messageOf(foreign)]).toEqual(["EIO", "no"]);
  });
});

describe("anything else that was thrown", () => {
  it.each([
    ["an error", new Error("plain"), "plain"],
    ["an error with a number", Object.assign(new Error("odd"), { code: 7 }), "odd"],
    ["text", "text", "text"],
    ["null", null, "null"],
    ["undefined", undefined, "undefined"],
  ])("has no code, and is told as it is: %s", (_what, thrown, told) => {
    expect([codeOf(thrown), isErrno(thrown, "ENOENT"), reasonOf(thrown)]).toEqual([undefined, false, told]);
  });
});

needs("root", process.getuid?.() === 0).it(
  "names who has to own a folder that may not be written, and how",
  () => {
    const denied = Object.assign(new Error("no"), { code: "EACCES" });
    expect([ownMend("/srv/data"), reasonIn("/srv/data", denied)]).toEqual([undefined, "EACCES"]);
    try {
      process.seteuid?.(65_534);
      expect(reasonIn("/srv/my data", denied)).toMatch(
        /^EACCES: sudo chown -R (nobody|65534) "\/srv\/my data"$/,
      );
      expect(reasonIn("/srv", Object.assign(new Error("no"), { code: "ENOSPC" }))).toBe("ENOSPC");
    } finally {
      process.seteuid?.(0);
    }
  },
);
