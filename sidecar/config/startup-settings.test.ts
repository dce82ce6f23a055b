import { describe, expect, it } from "@jest/globals";
import { TOKEN, testConfig } from "../../test/helpers/sidecar.ts";
import { readVariables } from "./environment.ts";
import { readFileValues } from "./file-values.ts";
import { commonDigest, digestsOf, startupSettings } from "./startup-settings.ts";

const written = (yaml: string, env = {}) => startupSettings(readFileValues(yaml), readVariables(env, "/"));
const fileOf = (yaml: string) => written(yaml).file;

describe("the settings at startup", () => {
  it("is reported by key, if it is not the default", () => {
    expect(fileOf("modules:\n  api:\n    port: 9000\n    host: 0.0.0.0\n  web.title: Mine\n")).toEqual({
      "modules.api.port": "9000",
      "modules.web.title": '"Mine"',
    });
    expect(fileOf("")).toEqual({});
  });

  it("is the same for equal settings, however they are written, and wherever the file is", () => {
    const interval = "modules.api.heartbeat-interval";
    expect(fileOf(`${interval}: 60s\n`)).toEqual(
      fileOf(`modules:\n  api:\n    heartbeat-interval: 1m # one\n`),
    );
    expect(fileOf(`${interval}: 20000ms\n`)).toEqual({});
    expect(fileOf("storage.folder: ../data\n")).toEqual({ "storage.folder": '"../data"' });
  });

  it("separates the environment, so that a file is compared with a file", () => {
    const env = { WEB_BRIDGE_MODULES_API_PORT: "9000", WEB_BRIDGE_SERVICE_PORT: "1", HOME: "/" };
    expect(written("modules.api.port: 8000\n", env)).toEqual({
      file: { "modules.api.port": "8000" },
      environment: { "modules.api.port": '"9000"' },
    });
  });

  it("omits the admin keys, which are reloaded without a restart", () => {
    const hash = "0".repeat(64);
    const keys = `  admin-api-key: ${"a1b2c3d4".repeat(3)}\n  admin-keys: [{name: ci, sha256: "${hash}", scopes: [links:read]}]\n`;
    expect(fileOf(`modules.api:\n${keys}`)).toEqual({});
  });

  it("reveals nothing to those without the token, not even that two keys have the same value", () => {
    const yaml =
      "modules.api.cors-origins: [https://same.example]\nbridge.token: same-secret-of-the-bridge\n";
    const digests = digestsOf(written(yaml, { WEB_BRIDGE_MODULES_WEB_TITLE: "same" }), TOKEN);
    expect(JSON.stringify(digests)).not.toContain("same");
    expect(Object.keys(digests.file)).toEqual(["modules.api.cors-origins", "bridge.token"]);
    expect(digests).toEqual(digestsOf(written(yaml, { WEB_BRIDGE_MODULES_WEB_TITLE: "same" }), TOKEN));
    const other = digestsOf(written(yaml), `${TOKEN}x`);
    expect(other.file["bridge.token"]).not.toBe(digests.file["bridge.token"]);
    const [one, two] = Object.values(digestsOf({ file: { a: "1", b: "1" }, environment: {} }, TOKEN).file);
    expect(one).not.toBe(two);
  });
});

describe("the digest that sidecars compare", () => {
  it("distinguishes settings, and reveals no secret to those without the token", () => {
    const none = new Map<string, string>();
    const [plain, open] = [testConfig({}), testConfig({ yaml: "modules.api.chat.web: off\n" })];
    expect(commonDigest(plain, TOKEN, none)).toBe(commonDigest(testConfig({}), TOKEN, none));
    expect(commonDigest(open, TOKEN, none)).not.toBe(commonDigest(plain, TOKEN, none));
    expect(commonDigest(plain, `${TOKEN}x`, none)).not.toBe(commonDigest(plain, TOKEN, none));
  });

  it("distinguishes game servers by order, name, title and token, and not by what only one sidecar sees", () => {
    const lobby = new Map([["lobby", "a"]]);
    const digestOf = (yaml: string, tokens = lobby): string =>
      commonDigest(testConfig({ yaml }), TOKEN, tokens);
    const one = digestOf("servers: [{name: lobby}]\n");
    expect(digestOf("servers: [{name: lobby, process: '7', info: {port: 19142}}]\n")).toBe(one);
    for (const other of [
      "",
      "servers: [{name: hub}]\n",
      "servers: [{name: lobby, title: Hub}]\n",
      "servers: [{name: lobby}, {name: hub}]\n",
      "server.name: first\nservers: [{name: lobby}]\n",
    ])
      expect(digestOf(other)).not.toBe(one);
    expect(digestOf("servers: [{name: lobby}]\n", new Map([["lobby", "b"]]))).not.toBe(one);
    expect(digestOf("server.name: first\n")).toBe(digestOf(""));
  });
});
