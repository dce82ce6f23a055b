import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { defaultConfigFile } from "../../sidecar/config/default-file.ts";
import { readConfig } from "../../sidecar/config/read.ts";
import { SETTINGS_BY_PATH, variableOf } from "../../sidecar/config/settings.ts";

const faults = (yaml: string, env: Record<string, string> = {}): string[] => {
  const result = readConfig(yaml, env, "/etc/bridge");
  return "faults" in result ? result.faults : [];
};
const config = (yaml: string, env: Record<string, string> = {}) => {
  const result = readConfig(yaml, env, "/etc/bridge");
  if ("faults" in result) throw new Error(result.faults.join("\n"));
  return result.config;
};

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

describe("readConfig", () => {
  it("takes the defaults for whatever is not set", () => {
    for (const yaml of ["", "# nothing", "modules:", "modules:\n  api:\n    port:\n", "{}"]) {
      expect(config(yaml)).toMatchObject({
        modules: {
          api: {
            host: "0.0.0.0",
            port: 8080,
            corsOrigins: [],
            adminApiKey: "",
            metricsRefreshInterval: 5000,
            heartbeatInterval: 20_000,
            verificationTimeout: 120_000,
            sessionCookie: { name: "website_user_uuid", maxAge: 2_592_000_000 },
            trustProxy: false,
            limits: { bodyBytes: 16_384, messageLength: 512, linkRequestsPerMinutePerAddress: 120 },
          },
        },
        bridge: { host: "127.0.0.1", port: 8081, token: "" },
        storage: { kind: "embedded", folder: "/etc/bridge/data" },
        server: { process: "auto" },
        log: { level: "info", format: "auto" },
      });
    }
  });

  it("reads nested keys, keys with dots, and both in one file", () => {
    const yaml = `
modules:
  api: { port: 0, cors-origins: [https://a.example, "http://localhost:3000"] }
modules.api.host: "::1"
messages:
  api.unlinked: flat
  api:
    link-accept: nested
`;
    expect(config(yaml)).toMatchObject({
      modules: { api: { port: 0, host: "::1", corsOrigins: ["https://a.example", "http://localhost:3000"] } },
      messages: { "api.unlinked": "flat", "api.link-accept": "nested", "api.link-decline": "Decline" },
    });
  });

  it("counts relative paths from the folder of the file", () => {
    expect(config("storage.folder: ../store\nserver.process: run/bds.pid")).toMatchObject({
      storage: { folder: "/etc/store" },
      server: { process: "/etc/bridge/run/bds.pid" },
    });
    expect(config("storage.folder: /var/lib/x").storage.folder).toBe("/var/lib/x");
  });

  it.each([["1234"], ['"1234"']])("takes the process id %s", written => {
    expect(config(`server.process: ${written}`).server.process).toBe("1234");
  });

  it("names every fault, one line each", () => {
    const yaml =
      "modules.api.port: abc\nbridge.port: 70000\nmodules.api.heartbeat-interval: 5 minutes\nnone: 1";
    expect(faults(yaml)).toEqual([
      "none: unknown key: expected one of the documented keys",
      'modules.api.port: "abc": expected a whole number from 0 to 65535',
      'modules.api.heartbeat-interval: "5 minutes": expected a duration from 100ms to 1h, written like 500ms, 20s, 2m, 12h or 30d',
      "bridge.port: 70000: expected a whole number from 0 to 65535",
    ]);
  });

  it("suggests the key that was meant", () => {
    expect(faults("modules: { api: { prot: 1 } }")).toEqual([
      "modules.api.prot: unknown key: did you mean modules.api.port?",
    ]);
    expect(faults("cors-origins: []")).toEqual([
      "cors-origins: unknown key: did you mean modules.api.cors-origins?",
    ]);
    expect(faults("", { WEB_BRIDGE_BRIDGE_TOKN: "x" })).toEqual([
      "WEB_BRIDGE_BRIDGE_TOKN: unknown key: did you mean WEB_BRIDGE_BRIDGE_TOKEN?",
    ]);
  });

  it("takes no offence at what container runtimes set for a service of its name", () => {
    const set = { WEB_BRIDGE_PORT: "tcp://10.0.0.1:80", WEB_BRIDGE_SERVICE_HOST: "10.0.0.1" };
    expect(config("", { ...set, WEB_BRIDGE_PORT_8080_TCP_ADDR: "10.0.0.1" }).modules.api.port).toBe(8080);
  });

  it("refuses a section that is no section, without showing what is in it", () => {
    expect(faults("bridge: my-secret-token-xyz")).toEqual(["bridge: a string: expected keys below it"]);
    const strange = "a key that is none: expected a blank behind the colon of a key";
    expect(faults("bridge: {token:my-secret-token-xyz}")).toEqual([`bridge: ${strange}`]);
    expect(faults("https://discord.com/api/webhooks/1/my-secret: 1")).toEqual([`the file: ${strange}`]);
    expect(faults("[a]")).toEqual(["the file: a list: expected keys with values"]);
  });

  it("refuses a key given twice", () => {
    expect(faults("bridge.port: 1\nbridge: { port: 2 }")).toEqual([
      "bridge.port: given twice: expected once",
    ]);
    expect(faults("bridge.port: 1\nbridge.port: 2")).toEqual(["line 2, column 1: Map keys must be unique"]);
  });

  it.each([
    ["    port: 8080", "\tport: 8080", ["line 10, column 1: Tabs are not allowed as indentation"]],
    ["    port: 8080", "   \tport: 8080", ["line 10, column 4: Tabs are not allowed as indentation"]],
    ["    hosts: []", "    hosts: []]", ["line 12, column 14: Unexpected flow-seq-end token in YAML stream"]],
  ])("names one fault where %j became %j, and nothing that follows from it", (was, is, faultsOf) => {
    expect(faults(defaultConfigFile().replace(was, is))).toEqual(faultsOf);
  });

  it("names each tab, each key given twice, and what is wrong behind them", () => {
    const tab = "Tabs are not allowed as indentation";
    expect(
      faults("modules:\n  api:\n\t\tport: 1\n\t\thost: x\n    hosts: []\nlog:\n\tlevel: info\n"),
    ).toEqual([3, 4, 7].map(line => `line ${line}, column 1: ${tab}`));
    expect(faults("log.level: info\nlog.level: debug\nwebhooks: [")).toEqual([
      "line 2, column 1: Map keys must be unique",
      expect.stringMatching(/^line 3, /),
    ]);
  });

  it("names the line of a syntax error and quotes nothing of it", () => {
    const found = faults('bridge:\n  token: "not closed\nlog:\n');
    expect(found[0]).toMatch(/^line \d+, column \d+: /);
    expect(found.join()).not.toContain("not closed");
  });

  it.each([
    "'*'",
    "['*']",
    "['https://*.x.y']",
    "['null']",
    "[https://a.example/]",
    "[https://a.example/path]",
    "['https://a.example?x']",
    "[a.example]",
    "['localhost:3000']",
    "[ftp://a.example]",
    "['https://user@a.example']",
    "[HTTPS://A.example]",
    "['https://a.example,']",
    "['https://a.example;']",
    '["https://a.example\'"]',
    "['https://a.example:443']",
    "[1]",
    "https://a.example",
  ])("refuses %s as cors-origins", written => {
    expect(faults(`modules.api.cors-origins: ${written}`)).toEqual([
      expect.stringMatching(/^modules\.api\.cors-origins: .*expected .*exact origin/),
    ]);
  });

  it("says how an origin that is nearly right is written", () => {
    expect(faults("modules.api.cors-origins: [https://a.example/]")[0]).toContain(
      'write "https://a.example" instead',
    );
  });

  it.each([
    ["false", false],
    ["true", true],
    ["2", 2],
    ["loopback", ["loopback"]],
    ["loopback, 10.0.0.0/8", ["loopback", "10.0.0.0/8"]],
    ["['::1', 10.0.0.1]", ["::1", "10.0.0.1"]],
  ])("reads trust-proxy %s", (written, expected) => {
    expect(config(`modules.api.trust-proxy: ${written}`).modules.api.trustProxy).toEqual(expected);
  });

  it.each([
    ["everybody", "everybody"],
    ["linked", "linked"],
    ["read-only", "read-only"],
    ["off", "off"],
    ["false", "off"],
    ['"off"', "off"],
  ])("reads who may write from the web: %s", (written, expected) => {
    expect(config(`modules.api.chat.web: ${written}`).modules.api.chat.web).toBe(expected);
    if (!written.startsWith('"'))
      expect(config("", { WEB_BRIDGE_MODULES_API_CHAT_WEB: written }).modules.api.chat.web).toBe(expected);
  });

  it.each(["true", "on", "Off", "0", "[]"])("refuses who may write from the web: %s", written => {
    expect(faults(`modules.api.chat.web: ${written}`)).toEqual([
      expect.stringMatching(
        /^modules\.api\.chat\.web: .*: expected one of everybody, linked, read-only, off$/,
      ),
    ]);
  });

  it.each(["-1", "1.5", "nobody", "[]", '""', "10.0.0.0/99", "{}"])("refuses trust-proxy %s", written => {
    expect(faults(`modules.api.trust-proxy: ${written}`)).toHaveLength(1);
  });

  it.each([
    ["modules.api.host", ["http://x", "a b", "''", "1", "'*'", "'[::1]'"]],
    ["modules.api.session-cookie.name", ["a b", "a;b", "ä", "''", "a=b"]],
    ["modules.api.session-cookie.max-age", ["500ms", "0s", "1500ms", "30", "-1d", "401d"]],
    ["modules.api.verification-timeout", ["0s", "31d", "2M", "1.5m", "2 m", "1000000000d"]],
    ["modules.api.limits.messages-burst", ["-1", "0", "1.5", "'5'", ".inf", ".nan"]],
    ["storage.kind", ["valkey", "1"]],
    ["storage.folder", ["''", "1"]],
    ["storage.url", ["redis", "http://redis:6379", "redis://a,b", "redis://a/name", "redis://a?x=1", "1"]],
    ["storage.url", ["redis://:100%@a", "redis://u:%zz@a", "redis://a, redis://%FF@b"]],
    ["storage.prefix", ["''", "'a b'", "'{a}'", "1"]],
    ["storage.sentinel", ["'a b'", "1"]],
    ["storage.ca", ["1"]],
    ["server.process", ["0", "-5", "1.5", "''", "[]"]],
    ["log.level", ["verbose", "Info"]],
    ["messages.api.unlinked", ["''", "'  '", "1", '"a\\u0007b"']],
    ["messages.api.chat-format-from-web", ["no placeholder", "''"]],
  ])("refuses values of %s that it cannot be", (key, written) => {
    for (const each of written) {
      const found = faults(`${key}: ${each}`);
      expect([each, found.length]).toEqual([each, 1]);
      expect(found[0]).toMatch(new RegExp(`^${key.replaceAll(".", "\\.")}: .*: expected `));
    }
  });

  it("refuses keys and tokens that no header can carry, without showing them", () => {
    for (const key of ["modules.api.admin-api-key", "bridge.token"]) {
      for (const value of ["0123456789abcdef\n", " 0123456789abcdef", "0123456789abcdéf", 1234567890123456]) {
        const found = faults(`${key}: ${JSON.stringify(value)}`);
        expect(found).toEqual([expect.stringMatching(/: \(hidden\): expected text in quotes/)]);
        expect(found[0]).not.toContain("0123");
      }
    }
  });

  it("takes a key of blanks as none", () => {
    expect(config('modules.api.admin-api-key: "  "').modules.api.adminApiKey).toBe("");
  });

  it("refuses one port for both listeners", () => {
    expect(faults("bridge.port: 8080")).toEqual([
      "bridge.port: 8080: expected another port than that of modules.api.port",
    ]);
    expect(faults("bridge.port: 0\nmodules.api.port: 0")).toEqual([]);
    expect(faults("bridge.port: 8080\nmodules.api.host: 192.0.2.1")).toEqual([]);
  });

  it("never throws, whatever the file holds, and gives each fault one line", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.string({ unit: "binary" })), yaml => {
        for (const fault of faults(yaml)) expect(fault).not.toMatch(/[\n\r]/);
      }),
    );
  });
});

describe("the environment", () => {
  it("overrides the file, even where the file is wrong", () => {
    const env = {
      WEB_BRIDGE_MODULES_API_PORT: "9000",
      WEB_BRIDGE_MODULES_API_CORS_ORIGINS: "https://a.example, https://b.example",
      WEB_BRIDGE_MODULES_API_TRUST_PROXY: "loopback,10.0.0.0/8",
      WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: "",
      WEB_BRIDGE_SERVER_PROCESS: "42",
      WEB_BRIDGE_MESSAGES_API_LINK_ACCEPT: "Yes",
      OTHER: "x",
    };
    expect(config("modules.api.port: abc\nmodules.api.admin-api-key: key", env)).toMatchObject({
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

  it("takes an empty list, and what Express takes as trust proxy", () => {
    const env = { WEB_BRIDGE_MODULES_API_CORS_ORIGINS: "", WEB_BRIDGE_MODULES_API_TRUST_PROXY: "1" };
    expect(config("modules.api.cors-origins: [https://a.example]", env).modules.api).toMatchObject({
      corsOrigins: [],
      trustProxy: 1,
    });
  });

  it("names the variable and the key of a fault", () => {
    expect(faults("", { WEB_BRIDGE_BRIDGE_PORT: "", WEB_BRIDGE_BRIDGE_TOKEN: "a b" })).toEqual([
      'WEB_BRIDGE_BRIDGE_PORT (bridge.port): "": expected a whole number from 0 to 65535',
      expect.stringMatching(/^WEB_BRIDGE_BRIDGE_TOKEN \(bridge\.token\): \(hidden\): expected /),
    ]);
  });
});
