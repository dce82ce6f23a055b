import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, jest } from "@jest/globals";
import { ROOT } from "../scripts/paths.mjs";
import { checkedFetch } from "../test/helpers/client.ts";
import { FakePack } from "../test/helpers/fake-pack.ts";
import { needs } from "../test/helpers/needs.ts";
import { ADMIN_KEY, startTestSidecar } from "../test/helpers/sidecar.ts";
import { createChat, createClient, createEvents, type SocketLike } from "./index.ts";

it.each([
  ["null", 200],
  ['"hello"', 200],
  ["7", 200],
  ["", 200],
  ['{"error":"toString"}', 400],
  ["[null]", 502],
])("does not mistake %s with %d for a response of the service", async (body, status) => {
  const strange = createClient({ fetch: async () => new Response(body, { status }) });
  for (const pending of [strange.status(), strange.readiness(), strange.whitelist("key")])
    expect(await pending).toEqual({ ok: false, status, code: "unknown" });
});

it("does not mistake a proxy's login for a wrong key", async () => {
  const answers = (body: string) =>
    createClient({ fetch: async () => new Response(body, { status: 401 }) }).whitelist("key");
  expect(await answers("<html>Who are you?")).toMatchObject({ status: 401, code: "unknown" });
  expect(await answers("")).toMatchObject({ status: 401, code: "wrong_key" });
});

it("requests no other path, for any session that a browser has sent", async () => {
  const side = await startTestSidecar();
  try {
    const urls: string[] = [];
    const client = createClient({
      base: side.base,
      fetch: (url, init) => {
        urls.push(url);
        return checkedFetch(url, init);
      },
    });
    for (const id of ["..", ".", "", "../whitelist", "a/b", "%2e%2e", "\ud800", "x?y", "#"])
      expect(await client.sessionOf(ADMIN_KEY, id)).toMatchObject({ status: 404, code: "unknown_session" });
    expect(new Set(urls)).toEqual(new Set([`${side.base}/sessions/-`]));
  } finally {
    await side.stop();
  }
});

it("sends keys with any characters, right and wrong ones", async () => {
  const key = "ключ-für-die-Liste-ß-0123456789";
  const sha256 = createHash("sha256").update(key).digest("hex");
  const side = await startTestSidecar({
    yaml: `modules: {api: {admin-keys: [{name: tool, sha256: ${sha256}, scopes: ["links:read"]}]}}`,
  });
  try {
    const client = createClient({ base: side.base, fetch: checkedFetch });
    const session = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";
    expect(await client.sessionOf(key, session)).toMatchObject({ code: "unknown_session" });
    expect(await client.sessionOf(`${key}!`, session)).toMatchObject({ status: 401, code: "wrong_key" });
  } finally {
    await side.stop();
  }
});

it("stops trying at an address that can have no service", () => {
  const open = jest.fn((): SocketLike => {
    throw new Error("not called");
  });
  const ask = jest.fn(async (): Promise<Response> => new Response());
  for (const base of ["", "/bridge", "localhost:8080", "file:///x", "http://a b"]) {
    expect(() => createChat({ base, onLine: () => undefined, connect: open })).toThrow();
    expect(() => createEvents({ base, onEvent: () => undefined, fetch: ask })).toThrow();
  }
  expect(() => createChat({ url: "mailto:x", onLine: () => undefined, connect: open })).toThrow("mailto:x");
  expect(() => createEvents({ url: "ws://localhost/events", onEvent: () => undefined, fetch: ask })).toThrow(
    "bad address",
  );
  expect([open, ask].map(called => called.mock.calls.length)).toEqual([0, 0]);
});

const PAGE = `
  import { createEvents } from ${JSON.stringify(join(ROOT, "dist/client/index.js"))};
  const [base] = process.argv.slice(1);
  process.on("unhandledRejection", error => console.log("reported", error.message));
  const events = createEvents({
    base,
    since: "0",
    firstDelayMs: 1,
    onEvent({ event, player }) {
      console.log(event, player?.name);
      if (player?.name === "Steve") throw new Error("a fault of the page");
      if (player?.name === "Alex") events.close();
    },
  });`;

needs("npm run build", existsSync(join(ROOT, "dist/client/index.js"))).it(
  "continues with the next event after an error of a listener, which is reported",
  async () => {
    const side = await startTestSidecar();
    try {
      const pack = new FakePack(side.bridge);
      await pack.connect();
      await pack.snapshot("Steve", "Alex");
      const args = ["--input-type=module", "-e", PAGE, side.base];
      const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
      expect(stdout.trim().split("\n").slice(-3)).toEqual([
        "join Steve",
        "reported a fault of the page",
        "join Alex",
      ]);
    } finally {
      await side.stop();
    }
  },
);
