import { statSync } from "node:fs";
import { resolve } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "@jest/globals";
import { needs } from "../test/helpers/needs.ts";
import { BUSY, chownCommand, codeOf, isErrno, messageOf, pathOf, reasonIn, reasonOf } from "./errno.ts";

const MISSING = resolve("/no such file");

const missing = (): unknown => {
  try {
    return statSync(MISSING);
  } catch (error) {
    return error;
  }
};

describe("an error of the system", () => {
  it("has its code and its path", () => {
    expect([codeOf(missing()), pathOf(missing()), reasonOf(missing())]).toEqual([
      "ENOENT",
      MISSING,
      "there is no such file or folder (ENOENT)",
    ]);
    expect([isErrno(missing(), "EACCES", "ENOENT"), isErrno(missing(), "EACCES")]).toEqual([true, false]);
  });

  it.each([
    ["EISDIR", "it is a folder, expected a file (EISDIR)"],
    ["EROFS", "read-only file or disk (EROFS)"],
    ["EACCES", "no permission (EACCES)"],
    ["EBUSY", `${BUSY} (EBUSY)`],
  ])("has a description if it is a file error: %s", (code, words) => {
    expect(reasonOf(Object.assign(new Error("no"), { code }))).toBe(words);
  });

  it("is recognised if it comes from another realm", () => {
    const foreign: unknown = runInNewContext('Object.assign(new Error("no"), { code: "EIO" })');
    expect(foreign).not.toBeInstanceOf(Error);
    expect([codeOf(foreign), messageOf(foreign)]).toEqual(["EIO", "no"]);
  });
});

describe("an error of SQLite", () => {
  const failure = (errcode: number, message = "no") =>
    Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", errcode });

  it.each([
    ["a database that is locked", 5, "SQLITE_BUSY"],
    ["a folder that may not be written", 1544, "SQLITE_READONLY"],
    ["a disk that cannot be written", 778, "SQLITE_IOERR"],
    ["a full disk", 13, "SQLITE_FULL"],
    ["a file that is no database", 26, "SQLITE_NOTADB"],
  ])("has SQLite's name: %s", (_what, errcode, code) => {
    expect(codeOf(failure(errcode))).toBe(code);
  });

  it("is shown unchanged if it has no description", () => {
    expect(reasonOf(failure(1, "unsupported file format"))).toBe("unsupported file format");
  });
});

describe("anything else that was thrown", () => {
  it.each([
    ["an error", new Error("plain"), "plain"],
    ["an error with a number", Object.assign(new Error("odd"), { code: 7 }), "odd"],
    ["null", null, "null"],
  ])("has no code, and is shown as it is: %s", (_what, thrown, words) => {
    expect([codeOf(thrown), isErrno(thrown, "ENOENT"), reasonOf(thrown)]).toEqual([undefined, false, words]);
  });
});

needs("root", process.getuid?.() === 0).it(
  "says who must own a folder that is not writable, and how to change it",
  () => {
    const denied = Object.assign(new Error("no"), { code: "EACCES" });
    expect([chownCommand("/srv/data"), reasonIn("/srv/data", denied)]).toEqual([
      undefined,
      "no permission (EACCES)",
    ]);
    try {
      process.seteuid?.(65_534);
      expect(reasonIn("/srv/my data", denied)).toMatch(
        /^no permission \(EACCES\): sudo chown -R (nobody|65534) "\/srv\/my data"$/,
      );
      const readOnly = Object.assign(new Error("no"), { code: "ERR_SQLITE_ERROR", errcode: 1544 });
      expect(reasonIn("/srv", readOnly)).toMatch(
        /^read-only file or disk \(SQLITE_READONLY\): sudo chown -R \w+ \/srv$/,
      );
      expect(reasonIn("/srv", Object.assign(new Error("no"), { code: "ENOSPC" }))).toBe("disk full (ENOSPC)");
    } finally {
      process.seteuid?.(0);
    }
  },
);
