import { resolve } from "node:path";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { PRODUCT_VERSION } from "../../shared/version.ts";
import { configFrom as config, faultsFrom as faults } from "../../test/helpers/config.ts";
import { defaultConfigFile } from "./default-file.ts";
import { readConfig } from "./read.ts";

describe("readConfig", () => {
  it("uses defaults for missing keys, with durations in milliseconds", () => {
    expect(config("")).toMatchObject({
      modules: { api: { port: 8080, heartbeatInterval: 20_000, sessionCookie: { maxAge: 2_592_000_000 } } },
      storage: { folder: resolve("/etc/bridge/data") },
    });
    for (const yaml of ["# nothing", "modules:", "modules:\n  api:\n    port:\n", "{}"])
      expect(config(yaml)).toEqual(config(""));
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

  it("resolves relative paths from the folder of the file", () => {
    expect(config("storage.folder: ../store\nserver.process: run/bds.pid")).toMatchObject({
      storage: { folder: resolve("/etc/store") },
      server: { process: resolve("/etc/bridge/run/bds.pid") },
    });
    expect(config("storage.folder: /var/lib/x").storage.folder).toBe(resolve("/var/lib/x"));
  });

  it.each([["1234"], ['"1234"']])("takes the process id %s", written => {
    expect(config(`server.process: ${written}`).server.process).toBe("1234");
  });

  it("reports every error, one line each", () => {
    const yaml =
      "modules.api.port: abc\nbridge.port: 70000\nmodules.api.heartbeat-interval: 5 minutes\nnone: 1";
    expect(faults(yaml)).toEqual([
      "none: unknown key: expected one of the documented keys",
      'modules.api.port: "abc": expected a whole number from 0 to 65535',
      'modules.api.heartbeat-interval: "5 minutes": expected a duration from 100ms to 1h, written like 500ms, 20s, 2m, 12h or 30d',
      "bridge.port: 70000: expected a whole number from 0 to 65535",
    ]);
  });

  it("rejects a section of another type, without printing its content", () => {
    const each = ", each with a colon and a space after it";
    expect(faults("bridge: my-secret-token-xyz")).toEqual([
      `bridge: a string: expected keys below it${each}`,
    ]);
    const strange = "not a valid key: expected a space after the colon";
    expect(faults("bridge: {token:my-secret-token-xyz}")).toEqual([`bridge: ${strange}`]);
    expect(faults("https://discord.com/api/webhooks/1/my-secret: 1")).toEqual([`the file: ${strange}`]);
    expect(faults("[a]")).toEqual([`the file: a list: expected keys with values${each}`]);
  });

  it("rejects a repeated key", () => {
    expect(faults("bridge.port: 1\nbridge: { port: 2 }")).toEqual([
      "bridge.port: given twice: expected once",
    ]);
  });

  it.each([
    ["    port: 8080", "\tport: 8080", ["line 11, column 1, at port: a tab: expected spaces"]],
    ["    port: 8080", "   \tport: 8080", ["line 11, column 4, at port: a tab: expected spaces"]],
    ["    hosts: []", "    hosts: []]", ["line 13, column 14, at hosts: a ] that closes nothing: remove it"]],
  ])("reports one error if %j became %j, and none that results from it", (was, is, faultsOf) => {
    expect(faults(defaultConfigFile().replace(was, is))).toEqual(faultsOf);
  });

  it.each([
    "'*'",
    "['*']",
    "['https://*.x.y']",
    "['null']",
    "[https://a.example/]",
    "['https://a.example?x']",
    "['localhost:3000']",
    "[ftp://a.example]",
    "['file://localhost', 'ws://a.example']",
    "['capacitor://']",
    "['capacitor://*']",
    "['Capacitor://localhost']",
    "['com.example.app:/cb']",
    "['https://user@a.example']",
    "[HTTPS://A.example]",
    "['https://a.example,']",
    '["https://a.example\'"]',
    "['https://a.example:443']",
    "[1]",
    "https://a.example",
  ])("rejects %s as cors-origins", written => {
    expect(faults(`modules.api.cors-origins: ${written}`)).toEqual([
      expect.stringMatching(/^modules\.api\.cors-origins: .*expected .*exact origin/),
    ]);
  });

  it("accepts * or blank as public-origins, and nothing else", () => {
    expect(config("").modules.api.publicOrigins).toBe("");
    expect(config('modules.api.public-origins: "*"').modules.api.publicOrigins).toBe("*");
    for (const other of ["https://a.example", "[]", "true", '"**"'])
      expect(faults(`modules.api.public-origins: ${other}`)).toEqual([
        expect.stringMatching(/^modules\.api\.public-origins: .*expected "\*" in quotes, or blank/),
      ]);
  });

  it.each([
    ...["capacitor://localhost", "tauri://localhost", "ionic://localhost", "app://.", "app://-"],
    ...["chrome-extension://abcdef", "safari-web-extension://0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"],
  ])("accepts %s, of an app, as cors-origins", origin => {
    expect(config(`modules.api.cors-origins: ["${origin}"]`).modules.api.corsOrigins).toEqual([origin]);
  });

  it.each([
    "'[::1]'",
    "https://a.example",
    "'a.example:80'",
    "a.example/b",
    "'a b'",
    "'*.a.example'",
    "''",
    "a%2e",
  ])("accepts host names as browsers do, and not %s", written => {
    expect(config("modules.api.hosts: [Bücher.example, a.example., '::1']").modules.api.hosts).toHaveLength(
      3,
    );
    expect(faults(`modules.api.hosts: [${written}]`)).toEqual([
      expect.stringMatching(
        /: expected a list of IP addresses and host names, without scheme, port and brackets$/,
      ),
    ]);
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
  ])("reads who can write from the website: %s", (written, expected) => {
    expect(config(`modules.api.chat.web: ${written}`).modules.api.chat.web).toBe(expected);
    if (!written.startsWith('"'))
      expect(config("", { WEB_BRIDGE_MODULES_API_CHAT_WEB: written }).modules.api.chat.web).toBe(expected);
  });

  it.each(["true", "on", "Off", "0", "[]"])("refuses who may write from the website: %s", written => {
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
  ])("rejects invalid values of %s", (key, written) => {
    for (const each of written) {
      const found = faults(`${key}: ${each}`);
      expect([each, found.length]).toEqual([each, 1]);
      expect(found[0]).toMatch(new RegExp(`^${key.replaceAll(".", "\\.")}: .*: expected `));
    }
  });

  it("rejects keys and tokens that no header can contain, without showing them", () => {
    for (const key of ["modules.api.admin-api-key", "bridge.token"]) {
      for (const value of ["0123456789abcdef\n", " 0123456789abcdef", "0123456789abcdéf", 1234567890123456]) {
        const found = faults(`${key}: ${JSON.stringify(value)}`);
        expect(found).toEqual([expect.stringMatching(/: \(hidden\): expected text in quotes/)]);
        expect(found[0]).not.toContain("0123");
      }
    }
  });

  it.each([
    ["server: {name: 2}", "server.name: 2: expected .*: put quotes around it"],
    ["server.info.version: 1.10", "server.info.version: 1.1: expected .*: put quotes around it"],
    ["modules.web.title: true", "modules.web.title: true: expected .*: put quotes around it"],
    [
      "modules.api.admin-api-key: 1234567890",
      "modules.api.admin-api-key: .hidden.: .*: put quotes around it",
    ],
    ["modules.api.hosts: [10.5, a]", "modules.api.hosts: .*: put quotes around each"],
    ["servers: [{name: 2}]", "servers.0..name: 2: expected .*: put quotes around it"],
    ["modules.api.hosts: a.example", "modules.api.hosts: .*: write it as a list, in . ."],
    ["webhooks: '[]'", "webhooks: .*: write it as a list, in . ."],
    ['bridge.port: "8081"', 'bridge.port: "8081": expected .*: write it without quotes'],
    ['modules.web.enabled: "true"', 'modules.web.enabled: "true": expected .*: write it without quotes'],
    ["server.info.port: true", "server.info.port: true: expected a whole number from 0 to 65535"],
  ])("says how a value of another type is written: %s", (yaml, line) => {
    expect(faults(yaml)).toEqual([expect.stringMatching(new RegExp(`^${line}$`))]);
  });

  it.each([
    ["pa#ss", "%23 instead of #"],
    ["pa/ss", "%2F instead of /"],
    ["pa,ss", "%2C instead of ,"],
    ["pa?ss", "%3F instead of ?"],
    ["pa%ss", "%25 instead of %"],
    ["pa%ffss", "%25 instead of %"],
    ["12/ss", "%2F instead of /"],
    ["p@s/s#", "%2F instead of / and %23 instead of #"],
  ])("names the characters to encode in the password %s, and not the password", (password, instead) => {
    for (const url of [`redis://:${password}@a:1`, `redis://b, rediss://user:${password}@a`])
      expect(faults(`storage.url: "${url}"`)).toEqual([
        `storage.url: (hidden): expected ${instead} in its user and password`,
      ]);
    const encoded = encodeURIComponent(password);
    expect(config(`storage.url: "redis://:${encoded}@a:1"`).storage.url).toContain(encoded);
  });

  it("ignores unknown keys of a later version, with a warning", () => {
    const later = defaultConfigFile()
      .replace(/(written by version )\S+/, "$199.0.0.")
      .replace("bridge:\n", "bridge:\n  later: 1\n")
      .replace("servers: []", "servers: [{name: b, info: {later: 1}, later: 2}]\nlater: {a: 1}");
    const line = (what: string): string =>
      `${what}: unknown key: expected one of the documented keys (ignored: the file was written by version 99.0.0)`;
    const result = readConfig(later, {}, "/");
    expect(result).toMatchObject({
      config: { servers: [{ name: "b" }] },
      warnings: expect.arrayContaining(["bridge.later", "later", "servers[0]: later"].map(line)),
    });
    for (const version of ["0.0.9", PRODUCT_VERSION])
      expect(faults(later.replace("99.0.0", version))).toHaveLength(4);
    expect(readConfig(later, { WEB_BRIDGE_SERVERS: '[{"name":"b","later":1}]' }, "/")).toMatchObject({
      faults: [expect.stringMatching(/^WEB_BRIDGE_SERVERS .*later: unknown key/)],
    });
  });

  it("treats a blank key as missing", () => {
    expect(config('modules.api.admin-api-key: "  "').modules.api.adminApiKey).toBe("");
  });

  it("rejects the same port for both listeners", () => {
    expect(faults("bridge.port: 8080")).toEqual([
      "bridge.port: 8080: expected a port other than that of modules.api.port",
    ]);
    expect(faults("bridge.port: 0\nmodules.api.port: 0")).toEqual([]);
    expect(faults("bridge.port: 8080\nmodules.api.host: 192.0.2.1")).toEqual([]);
  });

  it("never throws for any content of the file, and reports each error on one line", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.string({ unit: "binary" })), yaml => {
        for (const fault of faults(yaml)) expect(fault).not.toMatch(/[\n\r]/);
      }),
    );
  });
});
