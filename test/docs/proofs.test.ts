import { readdirSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { COMMAND, madeFrom } from "../../lab/proofs/pages.ts";
import { EXAMPLE, PROOFS } from "../../lab/proofs/proofs.ts";
import { probes } from "../../owner/prove/probes/all.ts";
import { text } from "./pages.ts";

const names = readdirSync(new URL(`../../${PROOFS}/`, import.meta.url), { recursive: true, encoding: "utf8" })
  .map(name => `${PROOFS}/${name.replaceAll("\\", "/")}`)
  .filter(name => /\.\w+$/.test(name));
const reports = new Map(names.filter(name => name.endsWith(".json")).map(name => [name, text(name)]));

it.each([...madeFrom(reports, text, probes)])("%s is what the proofs make of it", (path, page) => {
  expect([`${path}: ${COMMAND}`, text(path)]).toEqual([`${path}: ${COMMAND}`, page]);
});

it("the folder of proofs has reports with their pages, and nothing else", () => {
  const pages = [...reports.keys()].map(name => name.replace(/\.json$/, ".md"));
  expect(names.sort()).toEqual([`${PROOFS}/README.md`, ...reports.keys(), ...pages].sort());
});

it("the example has things that held, that did not, and that were not asked", () => {
  const [example = ""] = [...reports].filter(([name]) => name.startsWith(EXAMPLE)).map(([, json]) => json);
  for (const state of ["held", "broken", "skipped"]) expect(example).toContain(`"state": "${state}"`);
});
