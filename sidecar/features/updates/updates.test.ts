import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { PRODUCT_VERSION } from "../../../shared/version.ts";
import { linesUnder } from "../../../test/docs/pages.ts";
import { ManualClock } from "../../../test/helpers/clock.ts";
import { eventually } from "../../../test/helpers/eventually.ts";
import { RecordingLog } from "../../../test/helpers/log.ts";
import { watchUpdates } from "./updates.ts";

// Blocks of docs/settings.md: new-releases text

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const URL = "https://forge.example/latest?token=abc";

let clock: ManualClock;
let log: RecordingLog;
/** what the address answers, and how often it was asked */
let answer: (init: RequestInit | undefined) => Promise<Response>;
let asked: number;
beforeEach(() => {
  clock = new ManualClock();
  log = new RecordingLog();
  asked = 0;
});

const json = (value: object) => async (): Promise<Response> => Response.json(value);
const watch = (url = URL): void =>
  watchUpdates({
    url,
    clock,
    log,
    fetch: (_url, init) => {
      asked++;
      return answer(init);
    },
  });

/** Advances, and waits until an answer has been handled. */
async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await new Promise(resolve => setImmediate(resolve));
}

const lines = (): string[] => log.lines.map(({ level, message }) => `${level}: ${message}`);

describe("the address in modules.updates", () => {
  it("is requested five minutes after the start, then once a day", async () => {
    answer = json({ version: PRODUCT_VERSION });
    watch();
    await pass(5 * MINUTE - 1);
    expect(asked).toBe(0);
    await pass(1);
    expect(asked).toBe(1);
    await pass(DAY - 1);
    expect(asked).toBe(1);
    await pass(1);
    expect(asked).toBe(2);
    expect(lines()).toEqual([]);
  });

  it("causes one line a day while it names a newer release", async () => {
    const html_url = "https://forge.example/releases/v999.0.0";
    answer = json({ tag_name: "v999.0.0", html_url });
    watch();
    const line = `info: Version 999.0.0 is available (this is ${PRODUCT_VERSION}): ${html_url}`;
    await pass(5 * MINUTE);
    expect(lines()).toEqual([line]);
    await pass(DAY);
    expect(lines()).toEqual([line, line]);
  });

  it("causes the line that the page about settings shows", async () => {
    const html_url = "https://github.com/OWNER/NAME/releases/tag/v999.0.0";
    answer = json({ tag_name: "v999.0.0", html_url });
    watch();
    await pass(5 * MINUTE);
    const line = log.lines[0]?.message.replace(PRODUCT_VERSION, "0.1.0").replaceAll("999.0.0", "0.2.0");
    expect(linesUnder("docs/settings.md", "new-releases", "text")).toEqual([line]);
  });

  it("is named by its host if the answer has no page", async () => {
    answer = json({ version: "999.0.0" });
    watch();
    await pass(5 * MINUTE);
    expect(log.text).toContain(`(this is ${PRODUCT_VERSION}): forge.example"`);
    expect(log.text).not.toContain("abc");
  });

  it.each<[what: string, answer: () => Promise<Response>, reason: string]>([
    ["an error", async () => new Response("no", { status: 404 }), "status 404"],
    ["another page", async () => new Response("<html>"), 'neither "tag_name" nor "version" is a version'],
    ["too much", async () => new Response(" ".repeat(65_537)), "more than 65536 bytes"],
    [
      "nothing",
      () =>
        Promise.reject(new TypeError(URL, { cause: Object.assign(new Error(URL), { code: "ENOTFOUND" }) })),
      "ENOTFOUND",
    ],
  ])("causes one warning if it answers with %s, until it works again", async (_what, bad, reason) => {
    const failed = "Could not check for a newer release (modules.updates)";
    answer = bad;
    watch();
    await pass(5 * MINUTE);
    expect(log.lines[0]?.fields).toEqual({ host: "forge.example", reason: expect.stringContaining(reason) });
    await pass(DAY);
    expect(lines()).toEqual([`warn: ${failed}`, `debug: ${failed}`]);
    answer = json({ version: PRODUCT_VERSION });
    await pass(DAY);
    answer = bad;
    await pass(DAY);
    expect(lines().at(-1)).toBe(`warn: ${failed}`);
    expect(log.text).not.toContain("abc");
  });

  it("has ten seconds to answer", async () => {
    answer = init =>
      new Promise((_resolve, reject) =>
        init?.signal?.addEventListener("abort", () => reject(new Error(URL))),
      );
    watch();
    await pass(5 * MINUTE);
    await pass(9_999);
    expect(lines()).toEqual([]);
    await pass(1);
    expect(log.lines[0]?.fields).toMatchObject({ reason: "no answer within 10 s" });
  });
});

// Own connections: plays the forge, and another server.
it("follows no redirect, which could lead to any machine and protocol", async () => {
  const requests: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    requests.push(url);
    response.writeHead(301, { location: "/elsewhere" }).end(JSON.stringify({ version: "999.0.0" }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  watchUpdates({ url: `http://127.0.0.1:${port}/latest`, clock, log, fetch });
  clock.advance(5 * MINUTE);
  await eventually(() => expect(log.lines).toHaveLength(1));
  server.close().closeAllConnections();
  expect(log.lines[0]?.fields).toMatchObject({
    reason: "status 301: a redirect is not followed: set the address that it leads to",
  });
  expect(requests).toEqual(["/latest"]);
});

// Own connections: plays the forge.
it("a real request has the version of this product, and nothing about its owner", async () => {
  const received: IncomingHttpHeaders[] = [];
  const server = createServer(({ headers }, response) => {
    received.push(headers);
    response.end(JSON.stringify({ version: "999.0.0", padding: "a".repeat(60_000) }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  watchUpdates({ url: `http://${host}/latest`, clock, log, fetch });
  clock.advance(5 * MINUTE);
  await eventually(() => expect(log.lines).toHaveLength(1));
  server.close().closeAllConnections();
  expect(log.text).toContain(`: ${host}`);
  const { "user-agent": agent, ...others } = received[0] ?? {};
  expect(agent).toBe(`bedrock-web-bridge/${PRODUCT_VERSION}`);
  expect(Object.keys(others).sort()).toEqual([
    ...["accept", "accept-encoding", "accept-language", "connection", "host", "sec-fetch-mode"],
  ]);
});
