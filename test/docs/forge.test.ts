import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { validate } from "@actions/languageservice";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { build } from "esbuild";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { parse } from "yaml";
import { ROOT } from "../package/packages.ts";
import { text } from "./pages.ts";

const WORKFLOW = ".github/workflows/prove.yml";
const FORM = ".github/ISSUE_TEMPLATE/proof.yml";

interface Linter {
  validate: typeof validate;
  TextDocument: typeof TextDocument;
}

let linter: Linter;
let documents = 0;

// The forge's own linter imports lists as JSON in a way that Node does not take, and what makes bundles does.
beforeAll(async () => {
  const outfile = join(mkdtempSync(join(tmpdir(), "linter-")), "linter.mjs");
  const contents = `export { validate } from "@actions/languageservice";
    export { TextDocument } from "vscode-languageserver-textdocument";`;
  await build({
    stdin: { contents, resolveDir: ROOT },
    ...{ outfile, bundle: true, format: "esm", platform: "browser", logLevel: "error" },
  });
  linter = await import(pathToFileURL(outfile).href);
});

/** What the linter says of a text as a workflow. It remembers each document by its name. */
async function faultsOf(workflow: string): Promise<string[]> {
  documents++;
  const uri = `file:///repository/.github/workflows/number-${documents}.yml`;
  const document = linter.TextDocument.create(uri, "yaml", 1, workflow);
  return (await linter.validate(document)).map(({ message }) =>
    typeof message === "string" ? message : message.value,
  );
}

const workflow = text(WORKFLOW);

describe("the workflow that tries a game server", () => {
  it("is the only one, and right in the eyes of the forge's own linter", async () => {
    expect(readdirSync(new URL("../../.github/workflows/", import.meta.url))).toEqual(["prove.yml"]);
    expect(await faultsOf(workflow)).toEqual([]);
  });

  it.each([
    ["vars.MINECRAFT_EULA", "varz.MINECRAFT_EULA"],
    ["runs-on:", "run-on:"],
    ["17 4 * * 1", "99 4 * * 1"],
    ["steps.fetched.outputs", "steps.fetchd.outputs"],
    ["if: always()", "if: alway()"],
    ["contents: read", "content: read"],
  ])("would be wrong with %s written %s", async (right, wrong) => {
    expect(workflow).toContain(right);
    expect(await faultsOf(workflow.replace(right, wrong))).not.toEqual([]);
  });

  const { on, jobs, permissions } = parse(workflow);
  const steps: { name?: string; run?: string; uses?: string; if?: string; with?: Record<string, string> }[] =
    jobs.prove.steps;
  const place = (part: string): number =>
    steps.findIndex(({ run = "", uses = "" }) => `${run}${uses}`.includes(part));

  it("runs each week and by hand, and may write nothing", () => {
    expect(Object.keys(on).sort()).toEqual(["schedule", "workflow_dispatch"]);
    expect(on.schedule[0].cron).toMatch(/^\d+ \d+ \* \* \d$/);
    expect(permissions).toEqual({ contents: "read" });
  });

  it("does nothing where nobody has accepted the licence, and names no game server of its own", () => {
    expect(Object.keys(jobs)).toEqual(["prove"]);
    expect(jobs.prove.if).toMatch(/^vars\.MINECRAFT_EULA == 'accepted' && /);
    expect(jobs.prove.env.SERVER_URL).toMatch(
      /^\$\{\{ inputs\.server-url \|\| vars\.BEDROCK_SERVER_URL \}\}$/,
    );
    expect(workflow.replace(/^#.*$/gm, "")).not.toMatch(/https:\/\/[\w.]+\.(com|net)/);
  });

  it("looks at the address before it fetches, fetches once for each version, and keeps the report of a trial that failed", () => {
    expect([place("BASH_REMATCH"), place("actions/cache"), place("curl"), place("npm run prove")]).toEqual([
      2, 3, 4, 5,
    ]);
    expect(steps[3]?.with?.key).toContain("steps.game.outputs.version");
    expect(steps[4]?.if).toBe("steps.fetched.outputs.cache-hit != 'true'");
    const kept = steps.find(({ uses = "" }) => uses.startsWith("actions/upload-artifact@"));
    expect([kept?.if, kept?.with?.path]).toEqual(["always()", "proof"]);
  });

  it("puts no address into a command but through the environment", () => {
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
  });

  it("begins the trial as the command takes it", () => {
    const options = [...(steps[5]?.run ?? "").matchAll(/--([a-z-]+)/g)].map(([, name = ""]) => name);
    expect(options).toEqual(["server", "yes", "online", "out"]);
    for (const name of options) expect(text("owner/prove/main.ts")).toContain(`  --${name}`);
  });
});

describe("the form for a proof", () => {
  const form = parse(text(FORM));

  it("has what the forge asks of a form", () => {
    expect(Object.keys(form).sort()).toEqual(["body", "description", "labels", "name", "title"]);
    const ids = form.body.flatMap(({ id }: { id?: string }) => id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { type, id, attributes } of form.body) {
      expect(["markdown", "textarea", "checkboxes"]).toContain(type);
      expect(typeof (type === "markdown" ? attributes.value : attributes.label)).toBe("string");
      expect([type, id === undefined]).toEqual([type, type === "markdown"]);
    }
  });

  it("asks for both files, and whether they were looked through, by the name that the pages call it", () => {
    const required = form.body.filter(
      (each: { validations?: { required: boolean }; attributes: { options?: { required?: boolean }[] } }) =>
        each.validations?.required === true ||
        each.attributes.options?.some(({ required }) => required === true),
    );
    expect(required.map(({ id }: { id: string }) => id)).toEqual(["files", "looked"]);
    expect(text("docs/proofs/README.md")).toContain(`the form "${form.name}"`);
  });
});
