import { readdirSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { code, prose, table, text } from "./pages.ts";

const PAGE = "docs/troubleshooting.md";

/** The lines below a heading, up to the next one. */
const section = (heading: string): string =>
  prose(PAGE)
    .split(/^## /m)
    .find(part => part.startsWith(`${heading}\n`)) ?? "";

/** Quoted texts of a section, each as its fixed parts. */
const quoted = (heading: string): string[][] =>
  [...section(heading).matchAll(/“((?:[^“”]|“…”)+)”/g)].map(([, inner = ""]) => inner.split("…"));

const inOrder = (source: string, stretches: string[]): boolean => {
  let at = 0;
  for (const stretch of stretches) {
    const found = source.indexOf(stretch, at);
    if (found < 0) return false;
    at = found + stretch.length;
  }
  return true;
};

/** The texts of the sources below a folder. */
const sourcesOf = (folder: string): string[] =>
  readdirSync(new URL(`../../${folder}`, import.meta.url), { recursive: true, encoding: "utf8" })
    .filter(file => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map(file => text(`${folder}/${file}`));

describe("the symptoms", () => {
  it("quote the log of the sidecar word for word", () => {
    const lines = table(PAGE, "log lines").flatMap(([line]) => code(line));
    expect(lines).toHaveLength(13);
    for (const line of lines) expect(sourcesOf("sidecar").join()).toContain(`"${line}"`);
  });

  it("quote what the sidecar says of Redis word for word", () => {
    const sources = sourcesOf("sidecar").map(source => source.replaceAll('\\"', '"'));
    const lines = table("docs/troubleshooting-redis.md", "redis").flatMap(([line]) => code(line));
    expect(lines.length).toBeGreaterThan(30);
    // The names of settings in front are put there where the fault is known.
    const words = lines.map(line => line.replace(/^(?:(?:storage\.[\w-]+|…)(?:, )?)+: /, ""));
    const missing = words.filter(line => !sources.some(source => inOrder(source, line.split("…"))));
    expect(missing).toEqual([]);
  });

  it("quote the web console word for word", () => {
    const quotes = quoted("The web console");
    expect(quotes.length).toBeGreaterThan(6);
    for (const stretches of quotes)
      expect([stretches.join(), inOrder(text("web/languages/en_US.json"), stretches)]).toEqual([
        stretches.join(),
        true,
      ]);
  });
});
