import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Answer } from "../../../test/helpers/client.ts";
import { errorBody } from "../../../test/helpers/errors.ts";
import { createMemoryStore } from "../../../test/helpers/memory-store.ts";
import { serving } from "../../../test/helpers/serving.ts";
import { StorageAway } from "../../kernel/storage/ports.ts";

const side = serving();
beforeEach(() => side.api("trust-proxy: loopback"));
const initialize = (cookie = "", headers: Record<string, string> = {}) =>
  side.ask("/initialize", { cookie, headers });

const NAME = "website_user_uuid";
const UUID = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

describe("GET /initialize", () => {
  it("creates a session and sets its cookie with the described attributes", async () => {
    const answer = await initialize();
    const { status, userId } = answer.json as { status: string; userId: string };
    expect(status).toBe("new");
    expect(userId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const cookie = answer.headers.get("set-cookie") ?? "";
    expect(cookie.split(";")[0]).toBe(`${NAME}=${userId}`);
    const attributes = cookie.toLowerCase();
    for (const one of ["path=/", "httponly", "samesite=strict", "max-age=2592000"])
      expect(attributes).toContain(one);
    expect(attributes).not.toContain("secure");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("sets a Secure cookie behind a trusted proxy that was called over HTTPS", async () => {
    const answer = await initialize("", { "X-Forwarded-Proto": "https" });
    expect(answer.headers.get("set-cookie")).toContain("Secure");
  });

  it.each([UUID, UUID.toUpperCase(), "00000000-0000-0000-0000-000000000000"])(
    "knows the session %s and sets no cookie",
    async value => {
      const answer = await initialize(`other=1; ${NAME}=${value}`);
      expect(answer.json).toEqual({ status: "existing", userId: value.toLowerCase() });
      expect(answer.headers.get("set-cookie")).toBeNull();
    },
  );

  it.each(["", "x", `${UUID}0`, UUID.replaceAll("-", ""), `{${UUID}}`])(
    "makes a new session when the cookie is %j",
    async value => {
      const answer = await initialize(`${NAME}=${value}`);
      expect(answer.json).toMatchObject({ status: "new" });
    },
  );
});

describe("a browser that another site sends to GET /initialize", () => {
  it("gets no cookie, which would replace the cookie that it did not send", async () => {
    const answer = await initialize("", { "Sec-Fetch-Site": "cross-site" });
    expect([answer.status, answer.json]).toMatchObject([200, { status: "new" }]);
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  it.each(["none", "same-origin", "same-site"])("does not include one that sends %s", async site => {
    const answer = await initialize("", { "Sec-Fetch-Site": site });
    expect(answer.headers.get("set-cookie")).toContain(NAME);
  });
});

describe("several cookies of the session's name", () => {
  it.each([
    ["a malformed one before it", `${NAME}=x; ${NAME}=${UUID}`],
    ["a malformed one behind it", `${NAME}=${UUID}; ${NAME}=`],
    ["the same one twice", `${NAME}=${UUID}; ${NAME}=${UUID.toUpperCase()}`],
  ])("do not change the session with %s", async (_what, cookie) => {
    const answer = await initialize(cookie);
    expect(answer.json).toEqual({ status: "existing", userId: UUID });
  });
});

describe("a cookie whose name begins with __Host-", () => {
  it("is set with the attributes that browsers require, and read", async () => {
    await side.api("session-cookie: {name: __Host-session}");
    const cookie = (await initialize()).headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^__Host-session=[^;]+;.*Path=\/;.*Secure/);
    expect(cookie).not.toContain("Domain");
    expect((await initialize(cookie.split(";")[0])).json).toMatchObject({ status: "existing" });
  });
});

describe("the session", () => {
  const SEVERAL = `${NAME}=${UUID}; ${NAME}=99999999-9999-4999-8999-999999999999`;
  it("must not be ambiguous for GET /initialize", async () => {
    const answer = await side.ask("/initialize", { cookie: SEVERAL });
    expect([answer.status, answer.json]).toEqual([401, errorBody("missing_session")]);
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  it("is never logged", async () => {
    const { cookie, userId } = await side.session();
    await side.ask("/link-player", { cookie, body: { username: "Steve" } });
    await side.ask("/unlink-player", { cookie, method: "POST" });
    expect(side.log.text).not.toContain(userId);
  });
});

/** Attributes of a cookie, less the moment at which it was set. */
const attributes = (set: string | null): string[] => (set ?? "").replace(/Expires=[^;]+/, "").split("; ");

const setCookie = ({ headers }: Answer): string | null => headers.get("set-cookie");

describe("GET /initialize with a session", () => {
  let own: string;
  let userId: string;
  /** the store of links, whose reading a test may have fail */
  let read: ((session: string) => Promise<never>) | undefined;
  beforeEach(async () => {
    read = undefined;
    const store = createMemoryStore();
    await side.api("trust-proxy: loopback, session-cookie: {max-age: 2m}", ["Steve"], {
      store: { ...store, read: session => (read ?? store.read)(session) },
    });
    ({ cookie: own, userId } = await side.session());
  });

  it("sets an equal cookie again, each time, if the browser is linked", async () => {
    const first = await initialize();
    await side.link(own);
    for (let i = 0; i < 2; i++) {
      const answer = await initialize(own);
      expect([answer.status, answer.json]).toEqual([200, { status: "existing", userId }]);
      const [pair, ...others] = attributes(setCookie(answer));
      expect(pair).toBe(own);
      expect(others).toEqual(attributes(setCookie(first)).slice(1));
      expect(others).toContain("Max-Age=120");
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });

  it("responds without it while links cannot be read", async () => {
    await side.link(own);
    for (const error of [new StorageAway("nothing answers there"), new Error("broken")]) {
      read = async () => Promise.reject(error);
      const answer = await initialize(own);
      expect([answer.status, answer.json]).toEqual([200, { status: "existing", userId }]);
      expect(setCookie(answer)).toBeNull();
    }
    read = undefined;
    expect(setCookie(await initialize(own))).toContain(own);
  });

  it("sets no cookie again if it is not, even after a link request", async () => {
    expect(setCookie(await initialize(own))).toBeNull();
    const request = await side.requestLink(own);
    expect(setCookie(await initialize(own))).toBeNull();
    await side.pack.report({ is: "answered", request, accepted: false });
    expect(setCookie(await initialize(own))).toBeNull();
  });
});
