import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { FakePack } from "../helpers/fake-pack.ts";
import { eventually } from "../helpers/runner.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

// Own connections: compares answers with each other, byte by byte.

const ORIGIN = "https://site.example";

let side: TestSidecar;
let socket: Socket;
let heard = "";
beforeAll(async () => {
  side = await startTestSidecar({ yaml: `modules: {api: {cors-origins: ["${ORIGIN}"]}}` });
  const pack = new FakePack(side.bridge);
  await pack.connect();
  await pack.snapshot(...Array.from({ length: 20 }, (_, i) => `Player ${i}`));
  socket = connect({ port: side.sidecar.publicAddress.port, host: "127.0.0.1" });
  socket.on("data", (chunk: Buffer) => {
    heard += chunk.toString("latin1");
  });
});
afterAll(async () => {
  socket.destroy();
  await side.stop();
});

/** The head of the answer to a request, without the time in it. */
async function head(method: string, path: string, ...headers: string[]): Promise<string> {
  heard = "";
  socket.write([`${method} ${path} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n"));
  return (await headHeard(method)).replace(/^Date: .*\r\n/m, "");
}

async function headHeard(method: string): Promise<string> {
  let end = -1;
  await eventually(() => {
    end = heard.indexOf("\r\n\r\n");
    expect(end).not.toBe(-1);
    const hasBody = method !== "HEAD" && !heard.startsWith("HTTP/1.1 304");
    const length = hasBody ? Number(/^Content-Length: (\d+)/m.exec(heard)?.[1]) : 0;
    expect(heard.length - end - 4).toBe(length);
  });
  return heard.slice(0, end);
}

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

  it("has those that belong to the request besides", async () => {
    const plain = await head("GET", "/players");
    expect(await head("GET", "/players", `Origin: ${ORIGIN}`)).toContain(
      `Access-Control-Allow-Origin: ${ORIGIN}`,
    );
    expect(await head("GET", "/players", GZIP)).toMatch(/^Content-Encoding: gzip$/m);
    expect(await head("GET", "/players", "If-None-Match: *")).toMatch(/^HTTP\/1\.1 304 /);
    expect(await head("GET", "/players")).toBe(plain);
  });

  it.each(["/status", "/healthz"])("goes by what is asked of the connection: %s", async path => {
    await head("GET", path);
    const last = connect({ port: side.sidecar.publicAddress.port, host: "127.0.0.1" });
    let got = "";
    last.on("data", (chunk: Buffer) => {
      got += chunk.toString("latin1");
    });
    const request = (...more: string[]): string =>
      [`GET ${path} HTTP/1.1`, "Host: localhost", ...more, "", ""].join("\r\n");
    // Behind another one, it is not told to go on, and what it goes on with could be taken for a request.
    last.write(request() + request("Expect: 100-continue", "Content-Length: 2"));
    await eventually(() => expect(got.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2));
    expect(got.match(/^Connection: .*$/gm)).toEqual(["Connection: keep-alive", "Connection: close"]);
    expect(got.match(/^Keep-Alive: .*$/gm)).toEqual(["Keep-Alive: timeout=65"]);
    last.destroy();
  });

  it("tells the time at which it is given", async () => {
    const date = async (): Promise<string> => {
      heard = "";
      socket.write("GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n");
      return /^Date: (.*)$/m.exec(await headHeard("GET"))?.[1] ?? "";
    };
    const first = await date();
    await eventually(async () => expect(await date()).not.toBe(first));
    expect(Math.abs(Date.now() - Date.parse(await date()))).toBeLessThan(3_000);
  });
});
