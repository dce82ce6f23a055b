import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, connect, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { bundle } from "../../scripts/bundle.mjs";
import { systemClock } from "../../sidecar/clock.ts";
import { createTakeOver } from "../../sidecar/http/events/take-over.ts";
import { detach, skipPieces, takeNoMore, WatchedRequest } from "../../sidecar/http/node-internals.ts";
import { needs } from "../helpers/runner.ts";

// Own connections: asks a bare listener what Node does.

/** The lines of Node that are supported. */
const LINES = [22, 24, 26];

const versionOf = (program: string): string =>
  execFileSync(program, ["-p", "process.versions.node"], { encoding: "utf8" }).trim();

/** The Node that runs the tests, and those whose paths stand in `NODE_ALSO` with a comma between, by their versions. */
const also = (process.env.NODE_ALSO ?? "").split(",").filter(path => path !== "");
const programs = new Map([process.execPath, ...also].map(path => [versionOf(path), path]));
const missing = LINES.filter(line => ![...programs.keys()].some(version => version.startsWith(`${line}.`)));

const folder = mkdtempSync(join(tmpdir(), "node-facts-"));
const program = join(folder, "facts.mjs");
beforeAll(async () => writeFileSync(program, (await bundle("test/http/node-facts.ts", "node")).code));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([...programs])("Node %s", (version, node) => {
  let facts: Record<string, unknown>;
  beforeAll(async () => {
    facts = JSON.parse((await promisify(execFile)(node, [program])).stdout);
  });

  it.each([
    ["takeUnread", "reads nothing of a connection that waits at the door"],
    ["takeNoMore", "does not parse what was sent behind a request"],
    ["skipPieces", "tells no more of the pieces of a body, and all of the next connection's"],
    ["watchedRequest", "tells of the pieces of a body that nobody wants"],
    ["handOut", "hands out the connection of a request that is none for an upgrade"],
    ["staysOpen", "knows whether a connection stays open"],
    ["endBehind", "ends a connection with its answer"],
  ])("%s: %s", name => expect(facts[name]).toBe(!(name === "skipPieces" && version.startsWith("26."))));
});

for (const line of missing)
  needs(`Node ${line} in NODE_ALSO`, false).it(`has what Node ${line} does not describe`, () => undefined);

describe("a Node without what it does not describe", () => {
  const bare = (): IncomingMessage => new IncomingMessage(new Socket());

  it("takes the next requests of a connection, and is told of each piece", () => {
    const req = bare();
    expect(() => takeNoMore(req)).not.toThrow();
    expect(() => skipPieces(req.socket)).not.toThrow();
    Object.assign(req.socket, { parser: { remove: () => undefined } });
    expect(() => skipPieces(req.socket)).not.toThrow();
  });

  it("lets go of a body, and of a response, in its own way", () => {
    const { prototype } = IncomingMessage;
    const own = Object.getOwnPropertyDescriptor(prototype, "_dump") ?? {};
    Reflect.deleteProperty(prototype, "_dump");
    try {
      const req = new WatchedRequest(new Socket());
      req._dump();
      expect(req.isLetGo).toBe(true);
    } finally {
      Object.defineProperty(prototype, "_dump", own);
    }
    const res = new ServerResponse(bare());
    expect(() => detach(Object.assign(res, { detachSocket: undefined }))).not.toThrow();
  });

  it("has an answer on a bare connection begin all the same, though that is not handed out", async () => {
    const takeOver = createTakeOver(systemClock, () => undefined);
    const server = createServer((req, res) => {
      Object.defineProperty(req, "upgrade", { get: () => false, set: () => undefined });
      takeOver.begin(req, res, raw => raw.end("answer"));
    });
    await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let heard = "";
    for await (const bytes of socket) heard += bytes;
    server.close();
    expect(heard).toBe("answer");
  });
});
