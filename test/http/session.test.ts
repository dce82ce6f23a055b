import { beforeEach, describe, expect, it } from "@jest/globals";
import { StorageAway } from "../../sidecar/ports.ts";
import { createMemoryStore } from "../helpers/memory-store.ts";
import { serving } from "../helpers/serving.ts";

const side = serving();
beforeEach(() => side.api("trust-proxy: loopback"));
const initialize = (cookie = "", headers: Record<string, string> = {}) =>
  side.ask("/initialize", { cookie, headers });

const NAME = "website_user_uuid";
const UUID = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

describe("GET /initialize", () => {
  it("makes a session and sets its cookie with the described attributes", async () => {
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

  it("sets a Secure cookie behind a trusted proxy that was asked over HTTPS", async () => {
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

describe("a browser that another site has sent to GET /initialize", () => {
  it("gets no cookie, which would take the place of the one that stayed behind", async () => {
    const answer = await initialize("", { "Sec-Fetch-Site": "cross-site" });
    expect([answer.status, answer.json]).toMatchObject([200, { status: "new" }]);
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  it.each(["none", "same-origin", "same-site"])("is another one than one that says %s", async site => {
    const answer = await initialize("", { "Sec-Fetch-Site": site });
    expect(answer.headers.get("set-cookie")).toContain(NAME);
  });
});

describe("several cookies of the session's name", () => {
  const OTHER = "99999999-9999-4999-8999-999999999999";

  it.each([
    ["GET", "/initialize"],
    ["POST", "/link-player"],
    ["GET", "/linked-player"],
    ["POST", "/unlink-player"],
  ])("that name different sessions are refused by %s %s", async (method, path) => {
    const cookie = `${NAME}=${UUID}; ${NAME}=${OTHER}`;
    const body = method === "POST" ? { body: { username: "Steve" } } : {};
    const answer = await side.ask(path, { method, cookie, ...body });
    expect([answer.status, answer.json]).toEqual([401, { error: "missing_session" }]);
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  it.each([
    ["a malformed one before it", `${NAME}=x; ${NAME}=${UUID}`],
    ["a malformed one behind it", `${NAME}=${UUID}; ${NAME}=`],
    ["the same once more", `${NAME}=${UUID}; ${NAME}=${UUID.toUpperCase()}`],
  ])("leave the session as it is with %s", async (_what, cookie) => {
    const answer = await initialize(cookie);
    expect(answer.json).toEqual({ status: "existing", userId: UUID });
  });
});

describe("a cookie whose name begins with __Host-", () => {
  it("is set as browsers demand of it, and read", async () => {
    await side.api("session-cookie: {name: __Host-session}");
    const cookie = (await initialize()).headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^__Host-session=[^;]+;.*Path=\/;.*Secure/);
    expect(cookie).not.toContain("Domain");
    expect((await initialize(cookie.split(";")[0])).json).toMatchObject({ status: "existing" });
  });
});

describe("the session", () => {
  it.each([
    ["POST", "/link-player"],
    ["GET", "/linked-player"],
    ["POST", "/unlink-player"],
  ])("is needed by %s %s, before the body is looked at", async (method, path) => {
    for (const cookie of ["", `${NAME}=x`]) {
      const body = method === "POST" ? { body: "{" } : {};
      const answer = await side.ask(path, { method, cookie, ...body });
      expect([answer.status, answer.json]).toEqual([401, { error: "missing_session" }]);
    }
  });

  it("cannot be told of while the storage is away", async () => {
    const read = async () => Promise.reject(new StorageAway("nobody answers there"));
    await side.start({ store: { ...createMemoryStore(), read } });
    const { cookie } = await side.session();
    const answer = await side.ask("/linked-player", { cookie });
    expect([answer.status, answer.json]).toEqual([503, { error: "server_unavailable" }]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("never comes into the log", async () => {
    const { cookie, userId } = await side.session();
    await side.ask("/link-player", { cookie, body: { username: "Steve" } });
    await side.ask("/unlink-player", { cookie, method: "POST" });
    expect(side.log.text).not.toContain(userId);
  });
});
