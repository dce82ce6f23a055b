import { describe, expect, it } from "@jest/globals";
import { configFrom, faultsFrom } from "../../test/helpers/config.ts";

const DIGEST = "a".repeat(64);
const FORUM = { id: "forum", name: "Example Forum", "redirect-uris": ["https://forum.example/signed-in"] };

const read = (signIn: object) => {
  const yaml = JSON.stringify({ "sign-in": signIn });
  const faults = faultsFrom(yaml);
  return faults.length > 0 ? faults : configFrom(yaml).signIn;
};

const withClient = (change: object) => read({ clients: [{ ...FORUM, ...change }] });
const withIssuer = (issuer: unknown) => read({ enabled: true, issuer });

describe("sign-in", () => {
  it("is off by default", () => {
    expect(read({})).toEqual({ enabled: false, issuer: "", clients: [] });
  });

  it("has an issuer and sites", () => {
    const clients = [{ ...FORUM, "secret-sha256": DIGEST }];
    const expected = {
      enabled: true,
      issuer: "https://play.example.com/bridge",
      clients: [
        { id: "forum", name: "Example Forum", redirectUris: FORUM["redirect-uris"], secretSha256: DIGEST },
      ],
    };
    expect(read({ enabled: true, issuer: expected.issuer, clients })).toEqual(expected);
  });

  it("needs an issuer if it is enabled", () => {
    expect(read({ enabled: true })).toEqual([
      expect.stringMatching(
        /^sign-in\.issuer: blank: expected the address .*, since sign-in\.enabled is true$/,
      ),
    ]);
  });

  it.each([
    "https://play.example.com",
    "https://play.example.com:8443/bridge",
    "http://localhost:8080",
    "http://127.0.0.1:8080",
    "http://[::1]:8080",
  ])("may be at %s", issuer => {
    expect(withIssuer(issuer)).toMatchObject({ issuer });
  });

  it.each([
    "http://play.example.com",
    "http://localhost.example.com",
    "https://play.example.com/",
    "https://play.example.com?",
    "https://play.example.com#",
    "https://me:secret@play.example.com",
    "https://PLAY.example.com",
    "https://play.example.com:443",
    "https://play.example.com/a/../b",
    "https://pläy.example.com",
    "ftp://localhost",
    5,
  ])("cannot be at %j", issuer => {
    expect(withIssuer(issuer)).toEqual([expect.stringMatching(/^sign-in\.issuer: .*: expected the address/)]);
  });

  it("says how to write the issuer", () => {
    expect(withIssuer("https://PLAY.example.com:443")).toEqual([
      expect.stringMatching(/; write "https:\/\/play\.example\.com"$/),
    ]);
  });

  it.each([
    "https://forum.example",
    "https://forum.example/",
    "https://forum.example/in?from=game",
    "http://localhost:3000/in",
    "http://127.0.0.1:3000/in",
    "http://127.0.0.1/in",
    "http://[::1]/in",
    "com.example.app:/in",
    "com.example.my-app://in",
  ])("sends browsers back to %s", uri => {
    expect(withClient({ "redirect-uris": [uri] })).toMatchObject({ clients: [{ redirectUris: [uri] }] });
  });

  it.each([
    "http://forum.example/in",
    "https://*.forum.example/in",
    "https://forum.example/in#",
    "https://me@forum.example/in",
    "https://forum.example\\@evil.example/in",
    "https://forum.example/in\r\nSet-Cookie: a=b",
    "https://FORUM.example/in",
    "javascript:alert(1)",
    "app:/in",
    "capacitor://localhost/in",
    "com.example.app:in",
    "COM.example.app:/in",
    "com.example.app:/in#",
    "com.example.app://me@host/in",
    "/in",
    "",
    null,
  ])("does not send browsers back to %j", uri => {
    expect(withClient({ "redirect-uris": ["https://forum.example/a", uri] })).toEqual([
      expect.stringMatching(/^sign-in\.clients\[0\]\.redirect-uris\[1\]: .*: expected an exact address/),
    ]);
  });

  it.each([
    ["id", ""],
    ["id", "a/b"],
    ["id", "a".repeat(65)],
    ["name", ""],
    ["name", " Forum"],
    ["name", "Example\nForum"],
    ["name", "Example\u202eForum"],
    ["name", "§cTea"],
    ["name", "a".repeat(65)],
    ["redirect-uris", []],
    ["redirect-uris", "https://forum.example/in"],
    ["secret-sha256", "secret"],
    ["grants", true],
  ])("rejects a site whose %s is %j", (key, value) => {
    expect(withClient({ [key]: value })).toEqual([expect.stringContaining("sign-in.clients[0]")]);
  });

  it("rejects an app's own scheme together with https:// of a loopback host", () => {
    expect(withClient({ "redirect-uris": ["com.example.app:/in", "https://localhost/in"] })).toEqual([
      expect.stringContaining("redirect-uris"),
    ]);
  });

  it("hides a secret that was written instead of its digest", () => {
    expect(withClient({ "secret-sha256": "my-secret" }).toString()).not.toContain("my-secret");
  });

  it("rejects two sites with the same id or name", () => {
    expect(read({ clients: [FORUM, FORUM] })).toEqual([
      'sign-in.clients[1].id: "forum": expected a value other than that of [0]',
      'sign-in.clients[1].name: "Example Forum": expected a value other than that of [0]',
    ]);
  });
});
