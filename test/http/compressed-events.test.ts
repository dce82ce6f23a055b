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

it("2 MiB of lists are compressed at once and 512 KiB a second, and one that is there for everybody", async () => {
  for (let sent = 0; sent < 470; sent += 10)
    await side.pack.report(...Array(10).fill(said("\u754c".repeat(500))));
  // Each from another place on, so that none is there already.
  const ids = (await list("&limit=500", "")).json as { id: string }[];
  const from = (place: number): string => `&limit=490&since=${ids[place]?.id}`;
  const encodings: (string | null)[] = [];
  for (let place = 0; place < 4; place++) encodings.push(encoding(await list(from(place))));
  expect(encodings).toEqual(["gzip", "gzip", null, null]);
  expect(encoding(await list(from(1)))).toBe("gzip");
  side.bridge.clock.advance(1_000);
  expect(encoding(await list(from(2)))).toBe("gzip");
});
