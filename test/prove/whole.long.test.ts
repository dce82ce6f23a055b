import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "@jest/globals";
import { type Zippable, zipSync } from "fflate";
import type { DeviationName } from "../../lab/stand-in/deviations.ts";
import { makeStandIn } from "../../lab/stand-in/folder.ts";
import { readReport } from "../../owner/prove/report/read.ts";
import type { Report } from "../../owner/prove/report.ts";
import { timesOf, treeOf } from "../helpers/server-setup.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/tools/prove.js", import.meta.url));
const LONG_MS = 15 * 60_000;

const newFolder = (): string => mkdtempSync(join(tmpdir(), "whole "));

async function standIn(...deviations: DeviationName[]): Promise<string> {
  const folder = join(newFolder(), "server");
  await makeStandIn(folder, deviations);
  return folder;
}

async function prove(
  server: string,
  ...more: string[]
): Promise<{ code: unknown; report: Report; left: string[] }> {
  const [work, out] = [newFolder(), newFolder()];
  const args = [PROGRAM, "--server", server, "--yes", "--work", work, "--out", out, ...more];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const [code] = await once(child, "close");
  const file = readdirSync(out).find(name => name.endsWith(".json"));
  if (file === undefined) throw new Error(`there is no report:\n${said}`);
  const read = readReport(readFileSync(join(out, file), "utf8"));
  if ("fault" in read) throw new Error(read.fault);
  return { code, report: read.value, left: readdirSync(work) };
}

const brokenIn = ({ answers }: Report): string[] =>
  answers.flatMap(({ id, state, said }) => (state === "broken" ? [`${id}: ${said}`] : []));

it(
  "a whole trial of the stand-in finds all as it is assumed, writes it down, and leaves nothing",
  async () => {
    const server = await standIn();
    const before = { tree: treeOf(server), times: timesOf(server) };
    const { code, report, left } = await prove(server);
    expect({ code, broken: brokenIn(report), left }).toEqual({ code: 0, broken: [], left: [] });
    expect(report).toMatchObject({ game: { platform: "linux", simulated: true }, transport: "nethernet" });
    expect(report.answers.filter(({ state }) => state === "held").length).toBeGreaterThan(130);
    expect({ tree: treeOf(server), times: timesOf(server) }).toEqual(before);
  },
  LONG_MS,
);

it(
  "a trial of a zip file asks what it is told to, and no more",
  async () => {
    const server = await standIn();
    const files: Zippable = Object.fromEntries(
      readdirSync(server, { recursive: true, encoding: "utf8" })
        .filter(name => statSync(join(server, name)).isFile())
        .map(name => [`server/${name}`, readFileSync(join(server, name))]),
    );
    const zip = join(newFolder(), "server.zip");
    writeFileSync(zip, zipSync(files));
    const { code, report, left } = await prove(zip, "--only", "start-header,doctor,original-untouched");
    expect({ code, left }).toEqual({ code: 0, left: [] });
    expect(report.answers.map(({ id, state }) => [id, state])).toEqual([
      ["doctor", "held"],
      ["original-untouched", "held"],
      ["start-header", "held"],
    ]);
  },
  LONG_MS,
);

it.each<[DeviationName, string[]]>([
  ["other-started", ["first-start"]],
  ["port-taken", ["first-start"]],
  ["no-beta-apis", ["pack-connects", "start-modules"]],
])(
  "a trial of a game with %s says so, and comes to its end",
  async (deviation, wanted) => {
    const { code, report, left } = await prove(await standIn(deviation), "--only", wanted.join(","));
    const broken = report.answers.filter(({ state }) => state === "broken").map(({ id }) => id);
    expect({ code, left }).toEqual({ code: 1, left: [] });
    expect(broken).toEqual(expect.arrayContaining(wanted));
  },
  LONG_MS,
);
