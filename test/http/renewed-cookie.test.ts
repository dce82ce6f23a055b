import { beforeEach, describe, expect, it } from "@jest/globals";
import { StorageAway } from "../../sidecar/ports.ts";
import type { Answer } from "../helpers/client.ts";
import { createMemoryStore } from "../helpers/memory-store.ts";
import { serving } from "../helpers/serving.ts";

const side = serving();
const { pack } = side;
let cookie: string;
let userId: string;
/** the store of links, whose reading a test may have fail */
let read: ((session: string) => Promise<never>) | undefined;

beforeEach(async () => {
  read = undefined;
  const store = createMemoryStore();
  await side.api("trust-proxy: loopback, session-cookie: {max-age: 2m}", ["Steve"], {
    store: { ...store, read: session => (read ?? store.read)(session) },
  });
  ({ cookie, userId } = await side.session());
});

const initialize = (headers: Record<string, string> = {}, own = cookie): Promise<Answer> =>
  side.ask("/initialize", { cookie: own, headers });
const setCookie = ({ headers }: Answer): string | null => headers.get("set-cookie");

/** Attributes of a cookie, less the moment at which it was set. */
const attributes = (set: string | null): string[] => (set ?? "").replace(/Expires=[^;]+/, "").split("; ");

describe("GET /initialize of a browser that is linked", () => {
  it("sets the same cookie again as it was set first, each time", async () => {
    const first = await initialize({}, "");
    await side.link(cookie);
    for (let i = 0; i < 2; i++) {
      const answer = await initialize();
      expect([answer.status, answer.json]).toEqual([200, { status: "existing", userId }]);
      const [pair, ...others] = attributes(setCookie(answer));
      expect(pair).toBe(cookie);
      expect(others).toEqual(attributes(setCookie(first)).slice(1));
      expect(others).toContain("Max-Age=120");
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });

  it("answers without it while the storage is away, or reads nothing for another reason", async () => {
    await side.link(cookie);
    for (const error of [new StorageAway("nobody answers there"), new Error("broken")]) {
      read = async () => Promise.reject(error);
      const answer = await initialize();
      expect([answer.status, answer.json]).toEqual([200, { status: "existing", userId }]);
      expect(setCookie(answer)).toBeNull();
    }
    read = undefined;
    expect(setCookie(await initialize())).toContain(cookie);
  });
});

describe("GET /initialize of a browser without a link", () => {
  it("sets no cookie again, whatever was asked for", async () => {
    expect(setCookie(await initialize())).toBeNull();
    const request = await side.asked(cookie);
    expect(setCookie(await initialize())).toBeNull();
    await pack.report({ is: "answered", request, accepted: false });
    expect(setCookie(await initialize())).toBeNull();
  });
});
