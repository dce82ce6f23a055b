import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { type Fault, isFault } from "./fault.ts";
import { mergePermissions, mergeValues, readValues, SCRIPT_MODULES } from "./script-config.ts";

const URL = "http://127.0.0.1:8081";
const NEEDS = { url: URL, paths: ["/bridge/hello", "/bridge/poll"], bodyBytes: 65_536, requests: 3 };
const URIS = [`${URL}/`, `${URL}/bridge/hello`, `${URL}/bridge/poll`];
const TIGHT = {
  allowed_uris: URIS,
  force_tls: false,
  max_body_bytes: 65_536,
  max_concurrent_requests: 3,
};

function textOf(result: { text: string } | Fault): string {
  if (isFault(result)) throw new Error(result.fault);
  return result.text;
}

const netOf = (text: string): unknown => parse(text).module_permissions["@minecraft/server-net"];
const merged = (net: unknown, needs = NEEDS): unknown =>
  netOf(
    textOf(mergePermissions(JSON.stringify({ module_permissions: { "@minecraft/server-net": net } }), needs)),
  );

describe("permissions.json", () => {
  it.each([undefined, "", " \n", "{}", "{ /* nothing */ }"])(
    "that is %j allows what is needed and no more",
    text => {
      expect(parse(textOf(mergePermissions(text, NEEDS)))).toEqual({
        allowed_modules: SCRIPT_MODULES,
        module_permissions: { "@minecraft/server-net": TIGHT },
      });
    },
  );

  it("keeps comments inside lists", () => {
    const text = `{
  "allowed_modules": [
    "@minecraft/server-gametest", // for tests
    "@minecraft/server", /* needed */
  ],
  "module_permissions": { "@minecraft/server-net": { "allowed_uris": [
    "http://127.0.0.1:9/", // mine
    "http://old/",
    "http://old/bridge/hello",
    "http://old/bridge/poll"
  ] } }
}`;
    const result = textOf(mergePermissions(text, { ...NEEDS, oldUrl: "http://old" }));
    for (const comment of ["// for tests", "/* needed */", "// mine"]) expect(result).toContain(comment);
    expect(parse(result).allowed_modules).toEqual(["@minecraft/server-gametest", ...SCRIPT_MODULES]);
    expect(netOf(result)).toEqual({ ...TIGHT, allowed_uris: ["http://127.0.0.1:9/", ...URIS] });
  });

  it("keeps the owner's modules, settings and comments", () => {
    const text = `{
  // mine
  "allowed_modules": [ "@minecraft/server-gametest", "@minecraft/server" ],
  "other": { "a": [1, 2] },
  "module_permissions": { "@minecraft/x": { "y": 1 }, "@minecraft/server-net": { "session_headers": { "a": "b" } } }
}`;
    const result = textOf(mergePermissions(text, NEEDS));
    expect(result).toContain("// mine");
    expect(parse(result)).toEqual({
      allowed_modules: [
        "@minecraft/server-gametest",
        "@minecraft/server",
        "@minecraft/server-ui",
        "@minecraft/server-net",
        "@minecraft/server-admin",
      ],
      other: { a: [1, 2] },
      module_permissions: {
        "@minecraft/x": { y: 1 },
        "@minecraft/server-net": { session_headers: { a: "b" }, ...TIGHT },
      },
    });
  });

  it.each([
    ["higher limits stay", { max_body_bytes: 1_000_000, max_concurrent_requests: 8 }, {}],
    ["lower limits are raised", { max_body_bytes: 1000, max_concurrent_requests: 1 }, TIGHT],
    ["limits that are none are replaced", { max_body_bytes: "big", max_concurrent_requests: null }, TIGHT],
    ["forced TLS is taken back for plain http", { force_tls: true }, TIGHT],
    ["other addresses stay", { allowed_uris: ["https://a/"] }, { allowed_uris: ["https://a/", ...URIS] }],
    ["addresses are not repeated", { allowed_uris: [`${URL}/`] }, TIGHT],
  ])("%s", (_name, given, wanted) => {
    expect(merged(given)).toEqual({ ...TIGHT, ...given, ...wanted });
  });

  it("forces TLS for an https address unless the owner turned that off", () => {
    const needs = { ...NEEDS, url: "https://sidecar.example" };
    expect(merged({}, needs)).toMatchObject({ force_tls: true });
    expect(merged({ force_tls: false }, needs)).toMatchObject({ force_tls: false });
  });

  it("removes former addresses of the sidecar", () => {
    const former = merged({ allowed_uris: ["https://a/"] }, { ...NEEDS, url: "http://old:1" });
    const needs = { ...NEEDS, oldUrl: "http://old:1" };
    expect(merged(former, needs)).toMatchObject({ allowed_uris: ["https://a/", ...URIS] });
  });

  it.each([
    ["{", /invalid JSON/],
    ['{"allowed_modules": "all"}', /allowed_modules/],
    ['{"module_permissions": []}', /module_permissions: expected keys/],
    ['{"module_permissions": {"@minecraft/server-net": 1}}', /server-net: expected keys/],
    ['{"allowed_modules": [], "allowed_modules": []}', /twice/],
  ])("%s is rejected", (text, reason) => {
    const result = mergePermissions(text, NEEDS);
    expect(isFault(result) && result.fault).toMatch(reason);
  });

  it("does not change when it is merged again", () => {
    const net = fc.record(
      {
        allowed_uris: fc.array(fc.webUrl()),
        force_tls: fc.boolean(),
        max_body_bytes: fc.nat(),
        max_concurrent_requests: fc.nat(9),
        max_websocket_connections: fc.nat(),
      },
      { requiredKeys: [] },
    );
    const file = fc.record(
      {
        allowed_modules: fc.array(fc.string()),
        module_permissions: fc.record({ "@minecraft/server-net": net }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(file, fc.constantFrom(undefined, 2, "\t"), (value, indent) => {
        const once = textOf(mergePermissions(JSON.stringify(value, undefined, indent), NEEDS));
        expect(textOf(mergePermissions(once, NEEDS))).toBe(once);
      }),
    );
  });
});

describe("variables.json and secrets.json", () => {
  it("keep the owner's keys and comments", () => {
    const text = '{\r\n  "a": { "b": [1] }, // mine\r\n  "bridge-url": "http://old"\r\n}';
    expect(textOf(mergeValues(text, { "bridge-url": URL }))).toBe(text.replace("http://old", URL));
  });

  it("are read back as they were set", () => {
    fc.assert(
      fc.property(
        // The reader drops a key of this name, while the file keeps it.
        fc.dictionary(
          fc.stringMatching(/^[a-z-]+$/),
          fc.jsonValue().filter(value => !JSON.stringify(value).includes("__proto__")),
        ),
        fc.string(),
        (values, token) => {
          const text = JSON.stringify(values, undefined, 2);
          const result = textOf(mergeValues(text, { "bridge-token": token }));
          expect(readValues(result)).toEqual({ values: { ...JSON.parse(text), "bridge-token": token } });
          expect(textOf(mergeValues(result, { "bridge-token": token }))).toBe(result);
        },
      ),
    );
  });

  it.each(["[]", "1", '"text"', "{"])("that hold %s are refused", text => {
    expect(isFault(mergeValues(text, { a: "b" }))).toBe(true);
  });
});
