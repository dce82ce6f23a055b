import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Answer } from "../helpers/client.ts";
import { serving } from "../helpers/serving.ts";
import { said } from "./feeding.ts";

const side = serving();
const { pack } = side;
beforeEach(async () => {
  await side.api("trust-proxy: loopback, limits: {requests-per-minute: 120}");
  await pack.connect();
  for (let i = 0; i < 30; i++) await pack.report(said(`line ${i}`));
});

const list = (query = "", taken = "gzip", method = "GET", from = "10.0.0.1"): Promise<Answer> =>
  side.ask(`/events?format=json${query}`, {
    method,
    headers: { "Accept-Encoding": taken, "X-Forwarded-For": from },
  });
const encoding = ({ headers }: Answer): string | null => headers.get("content-encoding");
const lines = ({ json }: Answer): unknown[] => (json as { content: string }[]).map(({ content }) => content);

it("a long list of events is compressed for whoever takes that, and for nobody else", async () => {
  const plain = await list("", "gzip;q=0");
  const packed = await list();
  expect([encoding(plain), encoding(packed), packed.text]).toEqual([null, "gzip", plain.text]);
  for (const { headers } of [plain, packed]) {
    expect(headers.get("vary")).toBe("Origin, Accept-Encoding");
    expect(headers.get("cache-control")).toBe("no-store");
  }
  expect(Number(packed.headers.get("content-length"))).toBeLessThan(plain.text.length / 2);
  const head = await list("", "gzip", "HEAD");
  for (const name of ["content-encoding", "content-length", "content-type", "vary"])
    expect(head.headers.get(name)).toBe(packed.headers.get(name));
  const short = await list("&limit=1");
  expect([encoding(short), short.headers.get("vary")]).toEqual([null, "Origin"]);
});

it("a list of events is another one for each query, and once something has happened or is too old", async () => {
  const before = await list("&limit=20");
  expect(lines(await list("&limit=21"))).toHaveLength(21);
  expect(await list("&limit=20")).toMatchObject({ text: before.text });
  await pack.report(said("new"));
  expect(lines(await list("&limit=20")).at(-1)).toBe("§§<Steve> §§new");
  side.clock.advance(3_600_001);
  expect(lines(await list("&limit=20"))).toEqual([]);
});

describe("of long lists", () => {
  /** Ids, from each of which on there is another list of some 800 KB. */
  let ids: string[];
  beforeEach(async () => {
    for (let sent = 0; sent < 470; sent += 10)
      await pack.report(...Array(10).fill(said("\u754c".repeat(500))));
    const { json } = await list("&limit=500", "", "GET", "10.0.0.99");
    ids = (json as { id: string }[]).map(({ id }) => id);
  });
  /** A list from one of these places on, for an address. */
  const long = (place: number, address: string, taken?: string): Promise<Answer> =>
    list(`&limit=490&since=${ids[place]}`, taken, "GET", address);
  const packed = async (place: number, address: string): Promise<boolean> =>
    encoding(await long(place, address)) === "gzip";

  it("2 MiB are compressed at once and 512 KiB a second, and what is there is so for everybody", async () => {
    const all: boolean[] = [];
    for (let place = 0; place < 4; place++) all.push(await packed(place, `10.0.1.${place}`));
    expect(all).toEqual([true, true, false, false]);
    expect(await packed(1, "10.0.2.1")).toBe(true);
    side.clock.advance(1_000);
    expect(await packed(2, "10.0.2.2")).toBe(true);
  });

  it("an address has half of what is compressed at once, and a quarter of it lasting", async () => {
    expect([await packed(0, "10.0.1.1"), await packed(1, "10.0.1.1")]).toEqual([true, false]);
    expect(await packed(1, "10.0.1.2")).toBe(true);
    side.clock.advance(3_000);
    expect(await packed(2, "10.0.1.1")).toBe(false);
    side.clock.advance(2_000);
    expect(await packed(2, "10.0.1.1")).toBe(true);
  });

  it("none is compressed for an address that is refused", async () => {
    while ((await long(0, "10.0.1.1", "")).status === 200);
    for (let place = 1; place < 5; place++) expect((await long(place, "10.0.1.1")).status).toBe(429);
    expect([await packed(5, "10.0.1.2"), await packed(6, "10.0.1.3")]).toEqual([true, true]);
  });

  it("one costs whoever it is compressed for what it was before, and then everybody what is sent", async () => {
    // A quarter of 120 at most, and the request.
    for (let i = 0; i <= 120 - 31; i++) expect((await long(0, "10.0.1.1")).status).toBe(200);
    expect((await long(0, "10.0.1.1")).status).toBe(429);
  });

  it("one that is compressed stays, however many others an address asks for", async () => {
    for (let place = 0; place < 2; place++) await long(place, `10.0.1.${place}`);
    for (let limit = 1; limit <= 40; limit++) await list(`&limit=${limit}`, "", "GET", "10.0.2.1");
    // There is no budget left for it.
    expect([await packed(0, "10.0.3.1"), await packed(1, "10.0.3.1")]).toEqual([true, true]);
  });
});
