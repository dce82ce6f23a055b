import { describe, expect, it } from "@jest/globals";
import { faultsFrom } from "../../test/helpers/config.ts";
import { SETTINGS_BY_PATH } from "./settings.ts";

describe("the table of settings", () => {
  it("has valid defaults", () => {
    for (const [at, setting] of SETTINGS_BY_PATH)
      expect({ at, ...setting.read(setting.default, "/") }).toHaveProperty("value");
  });

  it("keeps every comment on one line", () => {
    for (const { comment } of SETTINGS_BY_PATH.values()) expect(comment).toMatch(/^[A-Z].{3,150}[^.]$/);
  });
});

describe("a value in a wrong notation", () => {
  const path = ": expected the whole path: ~ and variables in it are not replaced";
  it.each([
    ["modules.api.cors-origins:\n  -https://a.example\n", ": write a space after each dash"],
    [
      `modules.api.admin-api-key: '\${ADMIN_KEY}'`,
      `: \${…} is not replaced here: expected the value itself, or WEB_BRIDGE_MODULES_API_ADMIN_API_KEY set to it`,
    ],
    ...["~/bridge", "'~'", "'%APPDATA%\\bridge'", "$HOME/bridge"].map(value => [
      `storage.folder: ${value}`,
      path,
    ]),
    ["modules.web.logo: ~/logo.png", path],
  ])("is corrected with an example: %j", (yaml, says) => {
    expect(faultsFrom(`${yaml}`)).toEqual([expect.stringContaining(`${says}`)]);
  });
});
