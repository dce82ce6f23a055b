import { readdirSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { prose, text } from "./pages.ts";

const PAGE = "docs/troubleshooting.md";

/** The lines below a heading, up to the next one. */
const section = (heading: string): string =>
  prose(PAGE)
    .split(/^## /m)
    .find(part => part.startsWith(`${heading}\n`)) ?? "";

/** Quoted texts of a section, each as the stretches between what differs. */
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

describe("the symptoms", () => {
  it("quote the log of the sidecar word for word", () => {
    const lines = [...text(PAGE).matchAll(/The sidecar's log: `([^`]+)`/g)].map(([, line]) => line ?? "");
    const sources = readdirSync(new URL("../../sidecar", import.meta.url), {
      recursive: true,
      encoding: "utf8",
    })
      .filter(file => file.endsWith(".ts"))
      .map(file => text(`sidecar/${file}`))
      .join();
    expect(lines).toHaveLength(12);
    for (const line of lines) expect(sources).toContain(`"${line}"`);
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
