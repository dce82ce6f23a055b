import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Answer } from "../../../test/helpers/client.ts";
import { serving } from "../../../test/helpers/serving.ts";

const SITE = "https://site.example";
const NAMES = Array.from({ length: 20 }, (_, i) => `Player ${i}`);

const side = serving();
beforeEach(() => side.api(`cors-origins: ["${SITE}"]`, []));

const accepting = (path: string, encodings: string, more = {}, method = "GET"): Promise<Answer> =>
  side.ask(path, { method, headers: { "Accept-Encoding": encodings, ...more } });
const encoding = ({ headers }: Answer): (string | null)[] => [
  headers.get("content-encoding"),
  headers.get("vary"),
];
const PLAIN = [null, "Origin, Accept-Encoding"];
const PACKED = ["gzip", "Origin, Accept-Encoding"];

/** Fills players and history with more than 1 KiB each. */
async function fill(): Promise<void> {
  for (let i = 0; i < 13; i++) {
    await side.online();
    side.clock.advance(5_000);
  }
  await side.online(...NAMES);
}

// With a query a request does not take the short way, and has to get the same.
describe.each(["/players", "/players?x=1", "/history", "/openapi.json", "/asyncapi.json"])(
  "a long answer of GET %s",
  path => {
    beforeEach(fill);

    it("is compressed only for clients that accept gzip", async () => {
      const plain = await accepting(path, "identity");
      expect(encoding(plain)).toEqual(PLAIN);
      for (const taken of ["gzip", "br, GZIP ;q=0.5", "deflate,gzip;q=1.0, *;q=0"]) {
        const packed = await accepting(path, taken);
        expect([encoding(packed), packed.text]).toEqual([PACKED, plain.text]);
        expect(Number(packed.headers.get("content-length"))).toBeLessThan(plain.text.length / 2);
      }
      for (const refused of ["", "br", "gzip;q=0", "gzip; q=0.0", "gzipped", "x".repeat(1_025)])
        expect(encoding(await accepting(path, refused))).toEqual(PLAIN);
    });

    it("has one ETag for each encoding, which gets 304 only in that encoding, and the same headers for HEAD", async () => {
      const get = await accepting(path, "gzip");
      const [plain, packed] = [
        (await accepting(path, "identity")).headers.get("etag"),
        get.headers.get("etag"),
      ];
      expect(plain).not.toBe(packed);
      for (const [taken, tag, status] of [
        ["gzip", packed, 304],
        ["identity", plain, 304],
        ["gzip", plain, 200],
        ["identity", packed, 200],
        ["gzip", `${'"other", '.repeat(200)}${packed}`, 200],
      ] as const) {
        const known = await accepting(path, taken, { "If-None-Match": tag });
        expect([known.status, known.headers.get("vary")]).toEqual([status, "Origin, Accept-Encoding"]);
      }
      const head = await accepting(path, "gzip", {}, "HEAD");
      for (const name of ["content-encoding", "content-length", "etag", "vary"])
        expect(head.headers.get(name)).toBe(get.headers.get(name));
    });

    it("lets a page of a listed origin read its ETag", async () => {
      const answer = await accepting(path, "gzip", { Origin: SITE });
      expect(answer.headers.get("access-control-expose-headers")?.split(",")).toContain("ETag");
      expect(encoding(answer)).toEqual(PACKED);
    });
  },
);

it("a short response is not compressed", async () => {
  await side.online("Steve");
  for (const path of ["/status", "/players", "/history", "/console.json"])
    expect(encoding(await accepting(path, "gzip"))).toEqual([null, "Origin"]);
});
