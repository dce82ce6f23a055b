import { describe, expect, it } from "@jest/globals";
import { isNewer, parseRelease } from "./rules.ts";

const release = (answer: object) => parseRelease(JSON.stringify(answer));

describe("an answer about the newest release", () => {
  it("has the form of a forge's API", () => {
    const page = "https://forge.example/owner/name/releases/tag/v1.2.3";
    expect(release({ tag_name: "v1.2.3", html_url: page, prerelease: false, assets: [] })).toEqual({
      value: { version: "1.2.3", page },
    });
  });

  it.each(["1.2.3", "v1.2.3", "1.2.3+build.5"])("may be just a version: %s", version => {
    expect(release({ version })).toEqual({ value: { version: "1.2.3", page: undefined } });
  });

  it.each([{ version: "2.0.0-rc.1" }, { tag_name: "v2.0.0-beta" }, { tag_name: "v2.0.0", prerelease: true }])(
    "offers no pre-release: %j",
    answer => {
      expect(release(answer)).toEqual({ value: { version: undefined, page: undefined } });
    },
  );

  it.each([
    "",
    "<html>",
    "[]",
    "{}",
    '{"version":1.2}',
    '{"version":"1.2"}',
    '{"version":"1.2.3\\n"}',
    '{"tag_name":"latest"}',
    '{"version":"1.2.1234567890"}',
  ])("is useless as %j", body => {
    expect(parseRelease(body)).toEqual({ fault: expect.stringContaining("1.2.3") });
  });

  it.each([
    "http://forge.example/release",
    "javascript:alert(1)",
    "https://user:password@forge.example/",
    `https://forge.example/${"a".repeat(200)}`,
    5,
  ])("has no page at %j", html_url => {
    expect(release({ version: "1.2.3", html_url })).toEqual({ value: { version: "1.2.3", page: undefined } });
  });

  it("has no control characters in the address of its page", () => {
    expect(
      release({ version: "1.2.3", html_url: "https://forge.example/a\u001b[31m\u202eb\u0007c" }),
    ).toEqual({
      value: { version: "1.2.3", page: "https://forge.example/a%1B[31m%E2%80%AEb%07c" },
    });
  });
});

describe("versions", () => {
  it.each([
    ["0.1.1", "0.1.0", true],
    ["0.10.0", "0.9.9", true],
    ["1.0.0", "0.99.99", true],
    ["0.1.0", "0.1.0", false],
    ["0.9.0", "0.10.0", false],
    ["0.99.99", "1.0.0", false],
  ])("%s is newer than %s: %s", (version, than, is) => {
    expect(isNewer(version, than)).toBe(is);
  });
});
