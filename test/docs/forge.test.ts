import { readdirSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { text } from "./pages.ts";

const workflow = text(".github/workflows/prove.yml");
const { on, jobs, permissions } = parse(workflow);
const steps: { run?: string; uses?: string; if?: string; with?: Record<string, string> }[] = jobs.prove.steps;

describe("the workflow that tests a game server", () => {
  it("is the only one, runs weekly and manually if the licence was accepted, and has no write permission", () => {
    expect(readdirSync(new URL("../../.github/workflows/", import.meta.url))).toEqual(["prove.yml"]);
    expect(Object.keys(on).sort()).toEqual(["schedule", "workflow_dispatch"]);
    expect(permissions).toEqual({ contents: "read" });
    expect(Object.keys(jobs)).toEqual(["prove"]);
    expect(jobs.prove.if).toMatch(/^vars\.MINECRAFT_EULA == 'accepted' && /);
    expect(workflow.replace(/^#.*$/gm, "")).not.toMatch(/https:\/\/[\w.]+\.(com|net)/);
  });

  it("checks the address before it downloads, and uses it in commands only by an environment variable", () => {
    const place = (part: string): number =>
      steps.findIndex(({ run = "", uses = "" }) => `${run}${uses}`.includes(part));
    const order = ["BASH_REMATCH", "actions/cache", "curl", "npm run prove"].map(place);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
    const upload = steps.find(({ uses = "" }) => uses.startsWith("actions/upload-artifact@"));
    expect([upload?.if, upload?.with?.path]).toEqual(["always()", "proof"]);
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
  });
});
