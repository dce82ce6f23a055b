import { describe, expect, it } from "@jest/globals";
import { cookieKeysAt, keysAt, parseSecrets, renewed, type SignInSecrets } from "./secrets.ts";

const fresh = (kid: string) => ({ jwk: { kid }, cookie: `cookie-${kid}-${"x".repeat(32)}` });
const kids = (secrets: SignInSecrets, now: number) => keysAt(secrets, now).map(({ kid }) => kid);
const DAY = 24 * 60 * 60_000;
const LEAD = 120_000;

describe("the sign-in keys", () => {
  const first = renewed(undefined, fresh("a"), 0);
  const second = renewed(first, fresh("b"), 1_000);

  it("sign immediately if they are the first", () => {
    expect(kids(first, 0)).toEqual(["a"]);
  });

  it("are published for two minutes before they sign, and for a day after the next ones do", () => {
    const from = 1_000 + LEAD;
    expect(kids(second, 1_000)).toEqual(["a", "b"]);
    expect(kids(second, from - 1)).toEqual(["a", "b"]);
    expect(kids(second, from)).toEqual(["b", "a"]);
    expect(kids(second, from + DAY - 1)).toEqual(["b", "a"]);
    expect(kids(second, from + DAY)).toEqual(["b"]);
  });

  it("are dropped once they are no longer needed, and not earlier, however often new ones are made", () => {
    const third = renewed(second, fresh("c"), 2_000);
    expect(kids(third, 2_000)).toEqual(["a", "c", "b"]);
    const fourth = renewed(third, fresh("d"), 3 * DAY);
    expect(fourth.signing.map(({ jwk }) => jwk.kid)).toEqual(["d", "c"]);
  });

  it("can be read however fast new ones are made, and the one that signs is among them", () => {
    let many = second;
    for (let n = 0; n < 50; n++) many = renewed(many, fresh(`n${n}`), 2_000);
    expect(parseSecrets(JSON.stringify(many))).toEqual(many);
    expect(kids(many, 2_000)[0]).toBe("a");
    expect(kids(many, 2_000)[1]).toBe("n49");
  });

  it("keep the keys of existing cookies", () => {
    const third = renewed(second, fresh("c"), 2_000);
    expect(third.cookies.map(each => each.slice(7, 8))).toEqual(["c", "b"]);
  });

  it("sign cookies, too, once every sidecar knows them", () => {
    const ofCookies = (secrets: SignInSecrets, now: number) =>
      cookieKeysAt(secrets, now).map(each => each.slice(7, 8));
    expect(ofCookies(first, 0)).toEqual(["a"]);
    expect(ofCookies(second, 1_000 + LEAD - 1)).toEqual(["a", "b"]);
    expect(ofCookies(second, 1_000 + LEAD)).toEqual(["b", "a"]);
  });

  it("are read as they were written, and anything else is rejected", () => {
    expect(parseSecrets(JSON.stringify(second))).toEqual(second);
    for (const damaged of [
      "",
      "{",
      "{}",
      '{"signing":[],"cookies":[]}',
      "null",
      JSON.stringify(second).slice(1),
    ])
      expect(parseSecrets(damaged)).toBeUndefined();
  });
});
