import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { readFileValues } from "../../sidecar/config/file.ts";
import { needs } from "../helpers/runner.ts";
import { Bench, treeOf } from "../helpers/server-setup.ts";

const HAS_SCRIPT =
  process.platform === "linux" && spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;
const PROGRAM = fileURLToPath(new URL("../../dist/tools/setup.js", import.meta.url));

async function run(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await once(child, "exit");
  return { code: child.exitCode, out, err };
}

describe("the command", () => {
  let bench: Bench;
  let always: string[];
  beforeEach(async () => {
    bench = await new Bench().make();
    always = ["--server", bench.server, "--config", bench.config];
  });

  it("sets up, finds nothing more to do, and takes it back", async () => {
    const before = treeOf(bench.server);
    const first = await run(...always, "--yes");
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).not.toContain("How should");
    expect(first.out).toContain("Beta APIs experiment: off -> on");
    expect(first.out).toContain("content-log-console-output-enabled: false -> true");
    // Another where a program of this machine has the usual one.
    const port = readFileValues(bench.read(bench.config)).values.get("bridge.port");
    expect(first.out).toContain(`[web bridge] connected to the sidecar at http://127.0.0.1:${port}`);
    const [server, config] = [bench.server, bench.config];
    expect(first.out).toContain(`npm start -- --config "${config}"`);
    expect(first.out).toContain(`npm run doctor -- --server "${server}" --config "${config}"\n`);
    expect(first.out).toContain(`npm run setup -- --server "${server}" --config "${config}" --undo\n`);
    expect(await run(...always, "--yes")).toEqual({ code: 0, out: "nothing to change\n", err: "" });
    expect((await run(...always, "--yes", "--chest-form")).out).toContain("link-form: buttons -> chest");
    expect((await run(...always, "--yes", "--no-chest-form")).out).toContain("link-form: chest -> buttons");
    const known = await run(...always, "--yes", "--known-players", "everybody");
    expect(known.out).toContain("known-players.show: key -> everybody");
    expect((await run(...always, "--yes", "--undo")).code).toBe(0);
    expect(treeOf(bench.server)).toEqual(before);
    expect(await run(...always, "--undo")).toEqual({ code: 0, out: "nothing to undo\n", err: "" });
  });

  it("is at work only once in a folder at a time", async () => {
    const before = treeOf(bench.server);
    for (let round = 0; round < 2; round++) {
      const results = await Promise.all([0, 1, 2].map(() => run(...always, "--yes")));
      expect(results.some(({ code }) => code === 0)).toBe(true);
      for (const { code, err } of results)
        if (code !== 0)
          expect({ code, err }).toEqual({
            code: 1,
            err: expect.stringMatching(/^another setup (is|was) at work/),
          });
      expect((await run(...always, "--yes")).out).toBe("nothing to change\n");
      expect((await run(...always, "--yes", "--undo")).code).toBe(0);
      expect(treeOf(bench.server)).toEqual(before);
    }
  });

  it("wants --yes where nobody can be asked", async () => {
    const before = treeOf(bench.folder);
    const result = await run(...always);
    expect(result.code).toBe(1);
    expect(result.err).toBe(
      "Nothing has been changed. Add --yes to make these changes without being asked.\n",
    );
    expect((await run(...always, "--dry-run")).code).toBe(0);
    expect(treeOf(bench.folder)).toEqual(before);
  });

  /** Runs it at a terminal and gives each answer when its question is asked. */
  async function answer(...answers: [RegExp, string][]): Promise<{ code: number; out: string }> {
    const program = [process.execPath, PROGRAM, ...always].map(word => `'${word}'`).join(" ");
    const child = spawn("script", ["-qec", program, "/dev/null"], { stdio: ["pipe", "pipe", "inherit"] });
    let out = "";
    child.stdout.on("data", chunk => {
      out += String(chunk);
      const [question, words] = answers[0] ?? [/^$/, ""];
      if (!question.test(out)) return;
      answers.shift();
      child.stdin.write(words);
    });
    const [code] = await once(child, "close");
    return { code, out };
  }

  for (const [name, key] of [
    ["Ctrl+C", "\u0003"],
    ["Ctrl+D", "\u0004"],
  ] as const)
    needs("script, of Linux", HAS_SCRIPT).it(
      `ends with nothing changed at either question by ${name}`,
      async () => {
        const before = treeOf(bench.folder);
        const first = await answer([/Plain form or chest\? \[P\/c\] /, key]);
        expect(first).toEqual({ code: 1, out: expect.stringMatching(/\r\nNothing has been changed\.\r\n$/) });
        expect(first.out).not.toContain("Changes:");
        const second = await answer(
          [/Plain form or chest\? \[P\/c\] /, "p\r"],
          [/Show everyone the list\? \[y\/N\] /, "\r"],
          [/Make these changes\? \[y\/N, b = /, key],
        );
        expect(second).toEqual({
          code: 1,
          out: expect.stringMatching(/\r\nNothing has been changed\.\r\n$/),
        });
        expect(treeOf(bench.folder)).toEqual(before);
      },
    );

  needs("script, of Linux", HAS_SCRIPT).it("asks again for what is none of the answers", async () => {
    const again = (words: string, question: string) => new RegExp(`${words}[^]*${question}`);
    const { code, out } = await answer(
      [again("link their browser", "Plain form or chest\\?"), "y\r"],
      [again('"y" is none of the answers: type plain or chest', "Plain form or chest\\?"), "CHEST\r"],
      [again("all past players", "Show everyone the list\\?"), "sure\r"],
      [again('"sure" is none of the answers: type no or yes', "Show everyone the list\\?"), "n\r"],
      [again("Changes:", "Make these changes\\?"), "ja\r"],
      [again("type no or yes or backup", "Make these changes\\?"), "\r"],
    );
    expect([code, out]).toEqual([1, expect.stringContaining("link-form: buttons -> chest")]);
    expect(readdirSync(bench.server)).not.toContain("backups");
  });

  it("says how it is used", async () => {
    expect(await run("--help")).toMatchObject({
      code: 0,
      out: expect.stringContaining("usage: npm run setup"),
    });
    const who = await run(...always, "--known-players", "friends");
    expect(who).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^--known-players: .+everybody, key, off/),
    });
    const both = [...always, "--dry-run", "--no-chest-form", "--chest-form"];
    for (const args of [[], ["--server"], ["--what"], [...always, "--json"], ["extra"], both])
      expect(await run(...args)).toMatchObject({ code: 2, out: "", err: expect.stringContaining("usage:") });
    expect((await run(...both)).err).toMatch(/^--chest-form and --no-chest-form: expected one of them\n/);
    expect((await run("C:\\server", "--undo")).err).toMatch(
      /^C:\\server: is not expected here. Write: npm run setup -- --server "<folder>", with quotes/,
    );
  });

  describe("at length", () => {
    needs("script, of Linux", HAS_SCRIPT).it(
      "asks somebody at a terminal for the look, with a picture, and who reads of everybody, with what that shows",
      async () => {
        const { code, out } = await answer(
          [/Plain form or chest\?/, "c\r"],
          [/Show everyone the list\?/, "yes\r"],
          [/turns achievements off[\s\S]+Make these changes\?/, "b\r"],
        );
        expect(code).toBe(0);
        expect(out).toContain(", the same as the world");
        expect(readdirSync(bench.path("backups"))).toHaveLength(1);
        expect(out).toContain("[ ][ ][G][ ][ ][ ][R][ ][ ]");
        expect(out.indexOf("Every player has to take a resource")).toBeLessThan(out.indexOf("Changes:"));
        expect(bench.read(bench.config)).toContain("link-form: chest");
        expect(out).toMatch(/name, first and last visit, how many visits, playtime, deaths and\s+kills/);
        expect(bench.read(bench.config)).toContain("show: everybody");
      },
    );

    it.each([
      ["systemd:web-bridge", /restart the sidecar: {2}systemctl restart web-bridge\n/, /3\..+npm run doctor/],
      [
        "compose",
        /restart the sidecar: {2}docker compose -f deploy\/docker\/compose.yml restart web-bridge\n/,
        /3\..+ run --rm doctor\n.*run --rm setup --server .+ --config .+ --undo/,
      ],
    ])("tells how the sidecar is restarted that was noted as run by %s", async (by, restart, rest) => {
      mkdirSync(join(bench.folder, "sidecar/data"), { recursive: true });
      writeFileSync(join(bench.folder, "sidecar/data/run-by"), `${by}\n`);
      const { out } = await run(...always, "--yes");
      expect(out).toMatch(restart);
      expect(out).toMatch(rest);
    });

    it("takes the server's program for its folder", async () => {
      const program = ["--server", bench.path("bedrock_server"), "--config", bench.config];
      const { code, out } = await run(...program, "--yes");
      expect([code, out]).toEqual([0, expect.stringContaining(`doctor -- --server "${bench.server}"`)]);
      expect(await run(...program, "--yes")).toMatchObject({ code: 0, out: "nothing to change\n" });
    });

    it("takes a Windows path that ends in a backslash and a quote", async () => {
      expect((await run("--server", `${bench.server}"`, "--config", bench.config, "--dry-run")).code).toBe(0);
    });

    it("shows what is foreign without what a terminal would act by", async () => {
      const foreign = "\u001b]0;owned\u0007\u009b31m";
      writeFileSync(bench.path("server.properties"), `level-name=${foreign}\n`);
      for (const args of [["--yes"], ["--yes", "--json"], ["--undo"]]) {
        const { out, err } = await run(...always, ...args);
        expect((out + err).replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
      }
      expect((await run(...always, "--yes")).err).toContain("\\u001b]0;owned\\u0007\\u009b31m");
    });

    it("answers in JSON", async () => {
      const done = JSON.parse((await run(...always, "--yes", "--json")).out);
      expect(done).toMatchObject({ ok: true, server: bench.server, end: "done" });
      expect(done.changes[0]).toEqual({
        place: "behavior_packs/web_bridge",
        lines: [expect.stringMatching(/^Web Bridge: not installed -> /)],
      });
      rmSync(bench.path("server.properties"));
      const refused = await run(...always, "--yes", "--json");
      expect(refused.code).toBe(1);
      expect(JSON.parse(refused.out)).toEqual({
        ok: false,
        faults: [expect.stringContaining("server.properties")],
      });
    });
  });
});
