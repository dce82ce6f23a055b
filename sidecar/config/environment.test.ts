import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { configFrom, faultsFrom } from "../../test/helpers/config.ts";
import { eachInFolder, folder } from "../../test/helpers/folder.ts";
import { variableNames } from "./environment.ts";
import { readConfig } from "./read.ts";
import { SETTINGS_BY_PATH } from "./settings.ts";

eachInFolder("environment ");

const read = (env: Record<string, string>, yaml = "") => readConfig(yaml, env, folder);
const config = (env: Record<string, string>, yaml = "") => configFrom(yaml, env, folder);
const faults = (env: Record<string, string>) => faultsFrom("", env, folder);

describe("the environment", () => {
  it("has two names for each setting, and no name twice", () => {
    expect(new Set(variableNames()).size).toBe(2 * SETTINGS_BY_PATH.size);
  });

  it("overrides the file, even if the file is invalid", () => {
    const env = {
      WEB_BRIDGE_MODULES_API_PORT: "9000",
      WEB_BRIDGE_MODULES_API_CORS_ORIGINS: "https://a.example, https://b.example",
      WEB_BRIDGE_MODULES_API_TRUST_PROXY: "loopback,10.0.0.0/8",
      WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: '""',
      WEB_BRIDGE_SERVER_PROCESS: "42",
      WEB_BRIDGE_MESSAGES_API_LINK_ACCEPT: "Yes\r\n",
      OTHER: "x",
    };
    expect(config(env, "modules.api.port: abc\nmodules.api.admin-api-key: key")).toMatchObject({
      modules: {
        api: {
          port: 9000,
          corsOrigins: ["https://a.example", "https://b.example"],
          trustProxy: ["loopback", "10.0.0.0/8"],
          adminApiKey: "",
        },
      },
      server: { process: "42" },
      messages: { "api.link-accept": "Yes" },
    });
  });

  it.each(["", " ", "\t", "\r\n"])("says nothing with a variable that holds %j", blank => {
    const yaml = 'bridge: {port: 9000, token: t}\nmodules.api.cors-origins: ["https://a.example"]';
    const env = Object.fromEntries([...variableNames(), "WEB_BRIDGE_OTHER"].map(name => [name, blank]));
    expect(read(env, yaml)).toEqual({ ...read({}, yaml), variables: new Map() });
    expect(read(env, yaml)).toMatchObject({ warnings: [], config: { bridge: { port: 9000, token: "t" } } });
  });

  it('accepts "" as a blank value, and the values of Express for trust proxy', () => {
    const env = { WEB_BRIDGE_MODULES_API_CORS_ORIGINS: '""', WEB_BRIDGE_MODULES_API_TRUST_PROXY: "1" };
    expect(config(env, "modules.api.cors-origins: [https://a.example]").modules.api).toMatchObject({
      corsOrigins: [],
      trustProxy: 1,
    });
  });

  it("says that quotes around a value are part of it", () => {
    const name = "WEB_BRIDGE_BRIDGE_TOKEN";
    expect(read({ [name]: "'token-in-quotes'" })).toMatchObject({
      config: { bridge: { token: "'token-in-quotes'" } },
      warnings: [`${name} (bridge.token): the quotes around it count as a part of it: write it without`],
    });
    expect(faults({ WEB_BRIDGE_BRIDGE_PORT: '"9000"' })).toEqual([
      expect.stringMatching(/: expected a whole number from 0 to 65535: write it without quotes$/),
    ]);
    expect(faults({ [name]: `\${TOKEN}` })).toEqual([
      `${name} (bridge.token): \${…} is not replaced here: expected the value itself`,
    ]);
  });

  it("names the variable and the key of an error", () => {
    expect(faults({ WEB_BRIDGE_BRIDGE_PORT: "x", WEB_BRIDGE_BRIDGE_TOKEN: "a b" })).toEqual([
      'WEB_BRIDGE_BRIDGE_PORT (bridge.port): "x": expected a whole number from 0 to 65535',
      expect.stringMatching(/^WEB_BRIDGE_BRIDGE_TOKEN \(bridge\.token\): \(hidden\): expected /),
    ]);
  });

  it.each([
    ["WEB_BRIDGE_BRIDGE_TOKN", "did you mean WEB_BRIDGE_BRIDGE_TOKEN?"],
    ["WEB_BRIDGE_BRIDGE_TOKN_FILE", "did you mean WEB_BRIDGE_BRIDGE_TOKEN_FILE?"],
    ["WEB_BRIDGE_API_HOSTS", "did you mean WEB_BRIDGE_MODULES_API_HOSTS?"],
    ["WEB_BRIDGE_HOST", "did you mean WEB_BRIDGE_MODULES_API_HOST or WEB_BRIDGE_BRIDGE_HOST?"],
    ["WEB_BRIDGE_bridge_token", "did you mean WEB_BRIDGE_BRIDGE_TOKEN?"],
    ["WEB_BRIDGE_WEBHOOKS_0_URL", "did you mean WEB_BRIDGE_WEBHOOKS?"],
    ["WEB_BRIDGE_SOMETHING_ELSE_ENTIRELY", "expected one of the documented keys"],
  ])("may have %s, which is ignored with a warning", (name, says) => {
    expect(read({ [name]: "secret" })).toMatchObject({
      config: {},
      warnings: [`${name}: unknown key: ${says} (ignored)`],
    });
    expect(read({ [name]: "secret", WEB_BRIDGE_BRIDGE_PORT: "x" })).toHaveProperty("warnings.length", 1);
  });

  it.each(["", "CADDY_", "MODULES_API_", "BRIDGE_", "SERVER_INFO_", "PORT_"])(
    "takes nothing from what Kubernetes and Docker set for a service, with %s before its port",
    service => {
      const at = "10.0.0.5";
      const ports = ["80_TCP", "80_TCP_PROTO", "80_TCP_PORT", "80_TCP_ADDR", "53_UDP", "9_SCTP_ADDR"];
      const env = {
        SERVICE_HOST: at,
        SERVICE_PORT: "80",
        SERVICE_PORT_HTTP: "80",
        SERVICE_PORT_FILE: "80",
        PORT: `tcp://${at}:80`,
        ...Object.fromEntries(ports.map(each => [`PORT_${each}`, at])),
        ENV_NODE_VERSION: "22",
      };
      const set = Object.entries(env).map(([name, text]) => [`WEB_BRIDGE_${service}${name}`, text]);
      expect(read({ ...Object.fromEntries(set), WEB_BRIDGE_NAME: "/a/b" })).toEqual({
        ...read({}),
        variables: new Map(),
      });
    },
  );
});

describe("a file that a variable names", () => {
  const put = (content: string | Uint8Array, name = "secret"): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  it.each(["", "\n", "\r\n", "\n\n"])("holds the value of any setting, with %j at its end", end => {
    const key = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz";
    const hash = "a".repeat(64);
    const files: [variable: string, content: string][] = [
      ["BRIDGE_TOKEN", "\ufefftoken-of-the-bridge"],
      ["STORAGE_URL", "redis://:p%23@redis:6379"],
      ["STORAGE_KIND", "redis"],
      ["MODULES_API_ADMIN_API_KEY", "a key with blanks"],
      ["MODULES_API_ADMIN_KEYS", `[{"name": "ci", "sha256": "${hash}", "scopes": ["links:read"]}]`],
      ["WEBHOOKS", `[\n  {"url": "https://a.example/x", "secret": "${key}"}\n]`],
      [
        "SIGN_IN_CLIENTS",
        `[{"id": "f", "name": "F", "redirect-uris": ["https://f.example/"], "secret-sha256": "${hash}"}]`,
      ],
      ["SERVERS", '[{"name": "lobby", "token": "token-of-the-lobby"}]'],
      ["MODULES_API_PORT", "9000"],
    ];
    const env = Object.fromEntries(
      files.map(([name, content]) => [`WEB_BRIDGE_${name}_FILE`, put(content + end, name)]),
    );
    expect(config(env, "bridge.token: other")).toMatchObject({
      bridge: { token: "token-of-the-bridge" },
      storage: { url: "redis://:p%23@redis:6379" },
      modules: { api: { adminApiKey: "a key with blanks", adminKeys: [{ sha256: hash }], port: 9000 } },
      webhooks: [{ secret: key }],
      signIn: { clients: [{ secretSha256: hash }] },
      servers: [{ token: "token-of-the-lobby" }],
    });
  });

  it.each(["MODULES_WEB_LOGO", "STORAGE_FOLDER", "STORAGE_CA", "STORAGE_CLIENT_CERT", "STORAGE_CLIENT_KEY"])(
    "is refused for WEB_BRIDGE_%s, whose value is a path itself",
    name => {
      const [file, variable] = [put("-----BEGIN-----\nx\n"), `WEB_BRIDGE_${name}`];
      expect(faults({ [`${variable}_FILE`]: file })).toEqual([
        expect.stringMatching(/^WEB_BRIDGE_\w+_FILE \([a-z.-]+\): is a path itself: write WEB_BRIDGE_/),
      ]);
      expect(faults({ [`${variable}_FILE`]: file })[0]).toContain(`: write ${variable}=${file}`);
    },
  );

  it.each<[string, () => string, string]>([
    ["is not there", () => join(folder, "none"), "there is no such file"],
    ["is a folder", () => folder, "it is a folder"],
    ["is empty", () => put(" \n"), "it is empty"],
    ["is large", () => put("S3CRET".repeat(200_000)), "it is larger than 1 MiB"],
    [
      "is UTF-16",
      () => put(Buffer.from("\ufeffS3CRET", "utf16le")),
      "it is saved as UTF-16: save it as UTF-8",
    ],
    ["is not UTF-8", () => put(Buffer.from("S3\xfcCRET", "latin1")), "line 1 is not UTF-8: save it as UTF-8"],
    ["holds zero bytes", () => put("S3\0CRET"), "it is not a text file: it contains zero bytes"],
    ["holds control characters", () => put("S3\u001bCRET"), "it is not a text file"],
  ])("is rejected when it %s, with variable and path", (_how, make, why) => {
    const path = make();
    expect(faults({ WEB_BRIDGE_STORAGE_URL_FILE: path })).toEqual([
      `WEB_BRIDGE_STORAGE_URL_FILE (storage.url): ${path}: ${why}: expected a file with the value in it`,
    ]);
  });

  it("is never printed if it has another type", () => {
    const path = put("S3CRET of another");
    mkdirSync(join(folder, "x"));
    for (const name of [
      "BRIDGE_PORT",
      "BRIDGE_TOKEN",
      "LOG_LEVEL",
      "WEBHOOKS",
      "MODULES_API_HOSTS",
      "STORAGE_URL",
    ]) {
      const [line = "", ...more] = faults({ [`WEB_BRIDGE_${name}_FILE`]: path });
      expect(line).toMatch(new RegExp(`^WEB_BRIDGE_${name}_FILE \\(.*\\): \\(hidden\\): expected `));
      expect([line.includes("S3CRET"), more]).toEqual([false, []]);
    }
  });

  it("cannot be combined with the variable itself", () => {
    const env = { WEB_BRIDGE_BRIDGE_TOKEN: "S3CRET", WEB_BRIDGE_BRIDGE_TOKEN_FILE: put("S3CRET") };
    expect(faults(env)).toEqual([
      "WEB_BRIDGE_BRIDGE_TOKEN (bridge.token): is set, and WEB_BRIDGE_BRIDGE_TOKEN_FILE too: expected only one of them",
    ]);
    expect(config({ ...env, WEB_BRIDGE_BRIDGE_TOKEN: "" }).bridge.token).toBe("S3CRET");
  });
});
