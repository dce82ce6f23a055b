import { describe, expect, it } from "@jest/globals";
import { readConfig } from "../../sidecar/config/read.ts";
import { SETTINGS_BY_PATH, variableOf } from "../../sidecar/config/settings.ts";

describe("the table of settings", () => {
  it("has defaults that its own kinds accept", () => {
    for (const [at, setting] of SETTINGS_BY_PATH)
      expect({ at, ...setting.read(setting.default, "/") }).toHaveProperty("value");
  });

  it("has one variable for each setting", () => {
    expect(new Set([...SETTINGS_BY_PATH.keys()].map(variableOf)).size).toBe(SETTINGS_BY_PATH.size);
    expect(variableOf("modules.api.cors-origins")).toBe("WEB_BRIDGE_MODULES_API_CORS_ORIGINS");
    expect(variableOf("messages.api.unlinked")).toBe("WEB_BRIDGE_MESSAGES_API_UNLINKED");
  });

  it("keeps every comment on one line", () => {
    for (const { comment } of SETTINGS_BY_PATH.values()) expect(comment).toMatch(/^[A-Z].{3,150}[^.]$/);
  });
});

describe("a value that is written in a wrong way", () => {
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
    [
      "modules.api.host: '[::1]'",
      ": expected an IP address or a host name, without scheme, port and brackets",
    ],
  ])("is told how to write: %j", (yaml, says) => {
    expect(readConfig(`${yaml}`, {}, "/")).toMatchObject({ faults: [expect.stringContaining(`${says}`)] });
  });
});
