import { existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { clearLeftovers, makePlace } from "../../owner/prove/place.ts";
import { type Processes, windowsPidsIn } from "../../owner/prove/processes.ts";

const parent = (): string => mkdtempSync(join(tmpdir(), "places "));
const GONE = 4_194_304;
const nameOf = (pid: number): string => `web-bridge-prove-${pid}-0123456789abcdef`;

function processes(alive: number[] = [process.pid]): Processes & { killed: number[] } {
  const killed: number[] = [];
  return {
    killed,
    within: async folder => (existsSync(join(folder, "runs")) && killed.length === 0 ? [4711, 4712] : []),
    async kill(pids) {
      killed.push(...pids);
    },
    isAlive: pid => alive.includes(pid),
  };
}

describe("the folder of a trial", () => {
  it("is for its user alone, tells who made it, and goes with all that runs in it", async () => {
    const [work, system] = [parent(), processes()];
    const place = makePlace(work, 1, system);
    expect(readdirSync(work)).toEqual([
      expect.stringMatching(`^web-bridge-prove-${process.pid}-[0-9a-f]{16}$`),
    ]);
    mkdirSync(join(place.folder, "runs"));
    await place.clear();
    expect([readdirSync(work), system.killed]).toEqual([[], [4711, 4712]]);
  });

  it("is not made where there is no room, or no folder", () => {
    expect(() => makePlace(parent(), 2 ** 60)).toThrow(/needs \d+ MiB there, and \d+ MiB are free/);
    expect(() => makePlace(join(parent(), "none"), 1)).toThrow(
      "no folder can be made in it: there is no such file or folder (ENOENT)",
    );
  });
});

describe("what a trial that was killed has left", () => {
  it("is ended and removed, with what has the number of that process now", async () => {
    const [work, system] = [parent(), processes()];
    mkdirSync(join(work, nameOf(GONE), "runs"), { recursive: true });
    mkdirSync(join(work, nameOf(process.pid)));
    writeFileSync(join(work, nameOf(process.pid), "trial"), "an earlier start 17");
    expect([await clearLeftovers(work, system), readdirSync(work), system.killed]).toEqual([
      2,
      [],
      [4711, 4712],
    ]);
  });

  it("is left alone where it is at work, is no folder, or has another name", async () => {
    const work = parent();
    const place = makePlace(work, 1, processes());
    mkdirSync(join(work, "web-bridge-prove-notes"));
    symlinkSync(work, join(work, nameOf(GONE)));
    const before = readdirSync(work);
    expect([await clearLeftovers(work, processes()), readdirSync(work)]).toEqual([0, before]);
    await place.clear();
    expect(await clearLeftovers(join(work, "none"))).toBe(0);
  });
});

describe("processes of Windows", () => {
  it("are those whose program lies in the folder, or whose command names it", () => {
    const folder = "C:\\Temp\\web-bridge-prove-1-0123456789abcdef";
    const list = [
      `12\t${folder}\\plain\\bedrock_server.exe\t`,
      `13\tC:\\Program Files\\nodejs\\node.exe\tnode main.js --config ${folder.toUpperCase()}\\plain-sidecar\\config.yml`,
      `14\tC:\\games\\bedrock_server.exe\tC:\\games\\bedrock_server.exe`,
      `15\t${folder}0\\bedrock_server.exe\t`,
      "16\t\t",
      "",
    ];
    expect(windowsPidsIn(list.join("\r\n"), folder)).toEqual([12, 13]);
  });
});
