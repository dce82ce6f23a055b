import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { type Answer, ask } from "../helpers/client.ts";
import { Feeding, said } from "./feeding.ts";

const side = new Feeding();
beforeEach(async () => {
  await side.start();
  for (let i = 0; i < 30; i++) await side.pack.report(said(`line ${i}`));
});
afterEach(() => side.end());

const list = (query = "", taken = "gzip", method = "GET"): Promise<Answer> =>
  ask(side.bridge.base, `/events?format=json${query}`, { method, headers: { "Accept-Encoding": taken } });
const encoding = ({ headers }: Answer): string | null => headers.get("content-encoding");
const lines = ({ json }: Answer): unknown[] => (json as { content: string }[]).map(({ content }) => content);

it("a long list of events is compressed for whoever takes that, and for nobody else", async () => {
  const plain = await list("", "gzip;q=0");
  const packed = await list();
  expect([encoding(plain), encoding(packed)]).toEqual([null, "gzip"]);
  expect(packed.text).toBe(plain.text);
  for (const { headers } of [plain, packed]) {
    expect(headers.get("vary")).toBe("Origin, Accept-Encoding");
    expect(headers.get("cache-control")).toBe("no-store");
  }
  expect(Number(packed.headers.get("content-length"))).toBeLessThan(plain.text.length / 2);
  const head = await list("", "gzip", "HEAD");
  for (const name of ["content-encoding", "content-length", "content-type", "vary"])
    expect(head.headers.get(name)).toBe(packed.headers.get(name));
});

it("a short list of events is sent as it is", async () => {
  const answer = await list("&limit=1");
  expect([encoding(answer), answer.headers.get("vary")]).toEqual([null, "Origin"]);
});

it("a list of events is another one for each query, and once something has happened or is too old", async () => {
  const before = await list("&limit=20");
  expect(lines(await list("&limit=21"))).toHaveLength(21);
  expect(await list("&limit=20")).toMatchObject({ text: before.text });
  await side.pack.report(said("new"));
  expect(lines(await list("&limit=20")).at(-1)).toBe("§§<Steve> §§new");
  side.bridge.clock.advance(3_600_001);
  expect(lines(await list("&limit=20"))).toEqual([]);
});

it("lists of events are compressed anew only so often, and one that is there for everybody", async () => {
  const limits = Array.from({ length: 21 }, (_, i) => `&limit=${10 + i}`);
  const encodings: (string | null)[] = [];
  for (const limit of limits) encodings.push(encoding(await list(limit)));
  expect(encodings).toEqual([...Array.from({ length: 20 }, () => "gzip"), null]);
  expect(encoding(await list(limits[19]))).toBe("gzip");
  side.bridge.clock.advance(200);
  expect(encoding(await list(limits[20]))).toBe("gzip");
});
