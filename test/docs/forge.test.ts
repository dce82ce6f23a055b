import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { has, ROOT, VERSION } from "../package/packages.ts";
import { text } from "./pages.ts";

interface Step {
  name?: string;
  run?: string;
  uses?: string;
  if?: string;
  with?: Record<string, string>;
}
interface Job {
  if?: string;
  needs?: string[];
  steps?: Step[];
  uses?: string;
  permissions?: Record<string, string>;
  strategy?: { matrix: { node: number[] } };
  "runs-on"?: string;
}
interface Workflow {
  on: Record<string, { tags?: string[]; branches?: string[] } | null>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const FOLDER = ".github/workflows";
const workflows = new Map<string, Workflow>(
  readdirSync(join(ROOT, FOLDER)).map(name => [name, parse(text(`${FOLDER}/${name}`))]),
);
const workflow = (name: string): Workflow => workflows.get(name) ?? { on: {}, permissions: {}, jobs: {} };
const stepsOf = ({ jobs }: Workflow): Step[] => Object.values(jobs).flatMap(({ steps = [] }) => steps);

describe.each([...workflows])("the workflow %s", (name, { permissions, jobs }) => {
  it("may only read the repository, unless a job says more, and knows no secret", () => {
    expect(permissions).toEqual({ contents: "read" });
    expect(text(`${FOLDER}/${name}`)).not.toContain("secrets");
  });

  it("pins each action to a commit, and leaves it no password", () => {
    for (const [line] of text(`${FOLDER}/${name}`).matchAll(/uses: .*/g))
      expect(line).toMatch(/^uses: (\.\/[\w./-]+|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/);
    for (const { uses = "", with: given } of stepsOf({ on: {}, permissions, jobs }))
      if (uses.startsWith("actions/checkout@")) expect(given).toEqual({ "persist-credentials": false });
  });

  it("has no values in its commands but by environment variables", () => {
    for (const { run = "" } of stepsOf({ on: {}, permissions, jobs })) expect(run).not.toContain("${{");
  });
});

describe("the linter of workflows", () => {
  const lint = (...args: string[]) =>
    spawnSync(process.execPath, [join(ROOT, "scripts/lint-workflows.mjs"), ...args], { encoding: "utf8" });

  it("passes all of them", () => {
    expect(lint()).toMatchObject({ status: 0, stderr: "" });
  });

  it("names a wrong key, a job that does not exist, and a mistake in an expression", () => {
    const folder = newFolder("workflows ");
    const lines = [
      ...["on:", "  push:", "    branchs: [main]", "jobs:", "  first:", "    needs: [zeroth]"],
      ...["    runs-on: ubuntu-latest", "    steps:", `      - run: echo \${{ github.reff }}`],
    ];
    writeFileSync(join(folder, "wrong.yml"), lines.join("\n"));
    const { status, stderr } = lint(folder);
    expect(status).toBe(1);
    for (const [line, word] of [
      [3, "branchs"],
      [6, "zeroth"],
      [9, "reff"],
    ])
      expect(stderr).toMatch(new RegExp(`wrong\\.yml:${line}:\\d+ .*${word}`));
  });
});

describe("the tests of each push and pull request", () => {
  const { on, jobs } = workflow("test.yml");

  it("run on Linux and Windows, with the versions of Node that CONTRIBUTING.md names", () => {
    expect([on.push, on.pull_request]).toEqual([{ branches: ["**"] }, null]);
    const [, a, b, c] = /(\d+), (\d+) and (\d+) are tested/.exec(text("CONTRIBUTING.md")) ?? [];
    const runs = Object.values(jobs).map(job => [job["runs-on"], job.strategy?.matrix.node.map(String)]);
    expect(runs).toEqual([
      ["ubuntu-latest", [a, b, c]],
      ["windows-latest", [a, b, c]],
    ]);
  });

  it("run everything on Linux, and existing folders on Windows", () => {
    expect(jobs.linux?.steps?.at(-1)).toEqual({ run: ".ci/run" });
    const [, folders = ""] = /^npm test -- (.+)$/.exec(jobs.windows?.steps?.at(-1)?.run?.trim() ?? "") ?? [];
    expect(folders.split(" ").length).toBeGreaterThan(5);
    for (const folder of folders.split(" "))
      expect([folder, existsSync(join(ROOT, folder))]).toEqual([folder, true]);
  });
});

describe("the release of a tag", () => {
  const { on, jobs } = workflow("release.yml");

  it("begins with a tag as npm version makes it, of the version in package.json", () => {
    expect(on).toEqual({ push: { tags: ["v*"] } });
    const npm = spawnSync("npm", ["config", "get", "tag-version-prefix"], {
      cwd: ROOT,
      encoding: "utf8",
      shell: process.platform === "win32",
    });
    expect(npm.stdout.trim()).toBe("v");
  });

  it("publishes nothing before the tests have passed, and each part with the permissions that it needs", () => {
    expect(jobs.test?.uses).toBe("./.github/workflows/test.yml");
    const parts = Object.entries(jobs).filter(([, { permissions }]) => permissions !== undefined);
    expect(Object.fromEntries(parts.map(([name, { permissions }]) => [name, permissions]))).toEqual({
      archives: { contents: "write" },
      image: { contents: "read", packages: "write" },
      client: { contents: "read", "id-token": "write" },
    });
    for (const [, { needs }] of parts) expect(needs).toEqual(["test", "package"]);
  });

  /** Runs the command of a step. */
  function runStep(job: string, name: string, tag: string) {
    const { run = "" } = jobs[job]?.steps?.find(step => step.name === name) ?? {};
    const folder = newFolder("release ");
    for (const file of ["CHANGELOG.md", "package.json"]) writeFileSync(join(folder, file), text(file));
    const env = { ...process.env, GITHUB_REF_NAME: tag };
    const { status, stdout } = spawnSync("bash", ["-e", "-c", run], { cwd: folder, env, encoding: "utf8" });
    return { status, stdout, read: (file: string) => readFileSync(join(folder, file), "utf8") };
  }

  needs("bash and awk", has("bash", "-c", "awk 1 /dev/null")).all(() => {
    it("is refused if the tag is not the version", () => {
      const step = "Compare the tag with the version";
      expect(runStep("package", step, `v${VERSION}`)).toMatchObject({ status: 0, stdout: "" });
      expect(runStep("package", step, "v99.0.0")).toMatchObject({
        status: 1,
        stdout: `::error::The tag is v99.0.0, and package.json has version ${VERSION}\n`,
      });
    });

    it("has the notes of its heading in the changelog, and fails without", () => {
      const step = "Take the notes from the changelog";
      const [, section = ""] = text("CHANGELOG.md").split(new RegExp(`^## ${VERSION}: .*\\n`, "m"));
      expect(runStep("archives", step, `v${VERSION}`).read("notes.md")).toBe(section.split("\n## ")[0]);
      expect(runStep("archives", step, "v99.0.0").status).toBe(1);
    });
  });
});

describe("the workflow that tests a game server", () => {
  const { on, jobs } = workflow("prove.yml");
  const steps = jobs.prove?.steps ?? [];

  it("runs weekly and manually if the licence was accepted, and names no address of the game", () => {
    expect(Object.keys(on).sort()).toEqual(["schedule", "workflow_dispatch"]);
    expect(Object.keys(jobs)).toEqual(["prove"]);
    expect(jobs.prove?.if).toMatch(/^vars\.MINECRAFT_EULA == 'accepted' && /);
    expect(text(`${FOLDER}/prove.yml`).replace(/^#.*$/gm, "")).not.toMatch(/https:\/\/[\w.]+\.(com|net)/);
  });

  it("checks the address before it downloads", () => {
    const place = (part: string): number =>
      steps.findIndex(({ run = "", uses = "" }) => `${run}${uses}`.includes(part));
    const order = ["BASH_REMATCH", "actions/cache", "curl", "npm run prove"].map(place);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
    const upload = steps.find(({ uses = "" }) => uses.startsWith("actions/upload-artifact@"));
    expect([upload?.if, upload?.with?.path]).toEqual(["always()", "proof"]);
  });
  needs("bash and sha256sum", has("bash", "-c", "sha256sum /dev/null")).it(
    "keeps a download for its own address only",
    () => {
      const step = steps.find(({ run = "" }) => run.includes("BASH_REMATCH"));
      const outputs = ["one.example", "two.example"].map(host => {
        const file = join(newFolder("outputs "), "outputs");
        const address = `https://${host}/bedrock-server-1.26.60.6.zip`;
        const env = { ...process.env, SERVER_URL: address, GITHUB_OUTPUT: file };
        spawnSync("bash", ["-e", "-c", step?.run ?? ""], { env });
        return readFileSync(file, "utf8");
      });
      for (const each of outputs)
        expect(each).toMatch(/^version=1\.26\.60\.6\ncache=1\.26\.60\.6-[0-9a-f]{64}\n$/);
      expect(new Set(outputs).size).toBe(2);
      const cache = steps.find(({ uses = "" }) => uses.startsWith("actions/cache@"));
      expect(cache?.with?.key).toMatch(/\{\{ steps\.game\.outputs\.cache \}\}$/);
    },
  );
});
