import assert from "node:assert";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { bundle } from "../../../../scripts/bundle.mjs";
import { openLinksFile } from "../../../../test/helpers/files.ts";
import { uuidOf } from "../../../features/known-players/testing/known-records.ts";
import { openKnownPlayers } from "../../../files.ts";

const base = mkdtempSync(join(tmpdir(), "processes-"));
const program = join(base, "writer.mjs");
let folder: string;
let count = 0;

beforeAll(async () => {
  const { code } = await bundle("sidecar/kernel/storage/files/testing/writer.ts", "node");
  writeFileSync(program, code);
});
beforeEach(() => {
  folder = join(base, String(count++));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

type Writer = ChildProcessByStdio<null, Readable, Readable>;

const start = (prefix: string, times: number): Writer =>
  spawn(process.execPath, [program, folder, prefix, String(times)], { stdio: ["ignore", "pipe", "pipe"] });

/** Collects the output of a writer until it ends, and kills it after the given number of lines. */
async function acknowledged(writer: Writer, killAfter = Number.POSITIVE_INFINITY): Promise<string[]> {
  let said = "";
  writer.stdout.setEncoding("utf8").on("data", chunk => {
    said += chunk;
    if (said.split("\n").length > killAfter) writer.kill("SIGKILL");
  });
  let complained = "";
  writer.stderr.on("data", chunk => {
    complained += chunk;
  });
  await once(writer, "close");
  // No warnings of Node either.
  expect(complained).toBe("");
  return said.split("\n").slice(0, -1);
}

describe("the store in a file, used by processes", () => {
  it("contains every acknowledged change of a killed process", async () => {
    const safe: string[] = [];
    for (const [round, killAfter] of [20, 1, 47].entries())
      safe.push(...(await acknowledged(start(`round${round}`, 1_000_000), killAfter)));
    expect(safe.length).toBeGreaterThanOrEqual(68);
    const store = openLinksFile(folder, { warn: () => assert.fail("damaged") });
    for (const session of safe)
      expect(await store.read(session)).toEqual({
        link: { status: "declined", until: Number(session.split("-")[1]) },
      });
    await store.close();
    const known = openKnownPlayers(folder, { warn: () => assert.fail("damaged") });
    for (const session of safe) {
      const number = Number(session.split("-")[1]);
      expect(await known.visits(uuidOf(number + 1), 9)).toContainEqual({ from: number, to: number });
    }
    const [first] = (await known.read([uuidOf(0)])).values();
    expect(first?.visits).toBeGreaterThanOrEqual(safe.length);
    await known.close();
  });

  it("loses no change of two processes that start and write at the same time", async () => {
    await Promise.all([acknowledged(start("one", 100)), acknowledged(start("two", 100))]);
    const store = openLinksFile(folder, { warn: () => assert.fail("damaged") });
    expect(await store.read("shared")).toEqual({ link: { status: "declined", until: 200 } });
    await store.close();
    const known = openKnownPlayers(folder, { warn: () => assert.fail("damaged") });
    expect(await known.read([uuidOf(0), uuidOf(100)])).toMatchObject(
      new Map([
        [uuidOf(0), { visits: 200 }],
        [uuidOf(100), { visits: 2 }],
      ]),
    );
    await known.close();
  });
});
