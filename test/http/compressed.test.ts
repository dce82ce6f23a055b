import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type Answer, ask } from "../helpers/client.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

const SITE = "https://site.example";
const NAMES = Array.from({ length: 20 }, (_, i) => `Player ${i}`);

let bridge: TestSidecar;
let pack: FakePack;
beforeEach(async () => {
  bridge = await startTestSidecar({ env: { WEB_BRIDGE_MODULES_API_CORS_ORIGINS: SITE } });
  pack = new FakePack(bridge.bridge);
  await pack.connect();
});
afterEach(() => bridge.stop());

const accepting = (path: string, encodings: string, more: Record<string, string> = {}): Promise<Answer> =>
  ask(bridge.base, path, { headers: { "Accept-Encoding": encodings, ...more } });
const encoding = ({ headers }: Answer): string | null => headers.get("content-encoding");

/** Fills players and history with more than 1 KiB each. */
async function fill(): Promise<void> {
  for (let i = 0; i < 20; i++) {
    await pack.snapshot(...NAMES);
    bridge.clock.advance(5_000);
  }
  await pack.snapshot(...NAMES);
}

// With a query a request does not take the short way, and has to get the same.
describe.each(["/players", "/players?x=1", "/history", "/openapi.json", "/asyncapi.json"])(
  "a long answer of GET %s",
  path => {
    beforeEach(fill);

    it("is compressed for whoever takes that, and for nobody else", async () => {
      const plain = await accepting(path, "identity");
      expect([encoding(plain), plain.headers.get("vary")]).toEqual([null, "Origin, Accept-Encoding"]);
      for (const taken of ["gzip", "br, GZIP ;q=0.5", "deflate,gzip;q=1.0, *;q=0"]) {
        const packed = await accepting(path, taken);
        expect([encoding(packed), packed.headers.get("vary")]).toEqual(["gzip", "Origin, Accept-Encoding"]);
        expect(packed.text).toBe(plain.text);
        const length = Number(packed.headers.get("content-length"));
        expect(length).toBeLessThan(plain.text.length / 2);
      }
      for (const refused of ["", "br", "gzip;q=0", "gzip; q=0.0", "gzipped", "x".repeat(1_025)])
        expect(encoding(await accepting(path, refused))).toBeNull();
    });

    it("has an ETag of its own in each form, which gets 304 in that form alone", async () => {
      const tagOf = async (taken: string): Promise<string> =>
        (await accepting(path, taken)).headers.get("etag") ?? "";
      const [plain, packed] = [await tagOf("identity"), await tagOf("gzip")];
      expect(plain).not.toBe(packed);
      const statusOf = async (taken: string, tag: string): Promise<number> =>
        (await accepting(path, taken, { "If-None-Match": tag })).status;
      expect(await statusOf("gzip", packed)).toBe(304);
      expect(await statusOf("identity", plain)).toBe(304);
      expect(await statusOf("gzip", plain)).toBe(200);
      expect(await statusOf("identity", packed)).toBe(200);
      const known = await accepting(path, "gzip", { "If-None-Match": packed });
      expect(known.headers.get("vary")).toBe("Origin, Accept-Encoding");
    });

    it("has the same headers for HEAD", async () => {
      const headers = { "Accept-Encoding": "gzip" };
      const head = await ask(bridge.base, path, { method: "HEAD", headers });
      const get = await ask(bridge.base, path, { headers });
      for (const name of ["content-encoding", "content-length", "etag", "vary"])
        expect(head.headers.get(name)).toBe(get.headers.get(name));
    });

    it("lets a page of a listed origin read its ETag", async () => {
      const answer = await accepting(path, "gzip", { Origin: SITE });
      expect(answer.headers.get("access-control-expose-headers")?.split(",")).toContain("ETag");
      expect(answer.headers.get("vary")).toBe("Origin, Accept-Encoding");
    });
  },
);

it("a short answer is sent as it is", async () => {
  await pack.snapshot("Steve");
  for (const path of ["/status", "/players", "/history", "/console.json"]) {
    const answer = await accepting(path, "gzip");
    expect([encoding(answer), answer.headers.get("vary")]).toEqual([null, "Origin"]);
  }
});

it("what has changed is compressed anew", async () => {
  await fill();
  const before = await accepting("/players", "gzip");
  await pack.snapshot(...NAMES.slice(1));
  const after = await accepting("/players", "gzip");
  expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
  expect(after.json).toHaveLength(19);
});

it("a page of a listed origin may send If-None-Match", async () => {
  const preflight = await ask(bridge.base, "/players", {
    method: "OPTIONS",
    headers: {
      Origin: SITE,
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "if-none-match",
    },
  });
  expect(preflight.headers.get("access-control-allow-headers")?.split(",")).toContain("If-None-Match");
});
