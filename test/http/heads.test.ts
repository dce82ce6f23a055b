import { beforeEach, describe, expect, it } from "@jest/globals";
import { eventually } from "../helpers/runner.ts";
import { bytesOf, serving, type Wire } from "../helpers/serving.ts";

const ORIGIN = "https://site.example";

const side = serving();
let wire: Wire;
beforeEach(async () => {
  await side.api(
    `cors-origins: ["${ORIGIN}"]`,
    Array.from({ length: 20 }, (_, i) => `Player ${i}`),
  );
  wire = side.wire();
});

/** The head of the answer to a request. */
async function dated(method: string, path: string, ...headers: string[]): Promise<string> {
  const before = wire.got().length;
  wire.write(bytesOf(`${method} ${path}`, ...headers));
  return eventually(() => {
    const heard = wire.got().slice(before);
    const end = heard.indexOf("\r\n\r\n");
    expect(end).not.toBe(-1);
    const hasBody = method !== "HEAD" && !heard.startsWith("HTTP/1.1 304");
    const length = hasBody ? Number(/^Content-Length: (\d+)/m.exec(heard)?.[1]) : 0;
    expect(heard.length - end - 4).toBe(length);
    return heard.slice(0, end);
  });
}
/** The same without the time in it. */
const head = async (...asked: Parameters<typeof dated>): Promise<string> =>
  (await dated(...asked)).replace(/^Date: .*\r\n/m, "");

const GZIP = "Accept-Encoding: gzip";

describe("an answer that was given to somebody else a moment ago", () => {
  it.each([
    ["/status", []],
    ["/players", []],
    ["/players", [GZIP]],
  ])("has the same headers each time: %s %j", async (path, headers) => {
    const first = await head("GET", path, ...headers);
    expect(first).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(await head("GET", path, ...headers)).toBe(first);
    expect(await head("HEAD", path, ...headers)).toBe(first);
    expect(await head("GET", path, ...headers)).toBe(first);
  });

  it.each(["/status", "/healthz"])("goes by what is asked of the connection: %s", async path => {
    await head("GET", path);
    // Behind another one, it is not told to go on, and what it goes on with could be taken for a request.
    const last = bytesOf(`GET ${path}`, "Expect: 100-continue", "Content-Length: 2");
    const got = await side.wire(bytesOf(`GET ${path}`) + last).ended();
    expect(got.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(got.match(/^Connection: .*$/gm)).toEqual(["Connection: keep-alive", "Connection: close"]);
    expect(got.match(/^Keep-Alive: .*$/gm)).toEqual(["Keep-Alive: timeout=65"]);
  });
});
