import { describe, expect, it } from "@jest/globals";
import { testFiles } from "../helpers/test-files.ts";
import { blocks, PAGES } from "./pages.ts";

/** A marker in a test: the page, headings and languages of the blocks that it runs, compares or reads. */
const MARK = /^\/\/ Blocks of (\S+): (.+)$/gm;

/** These markers; `*` stands for every heading of a generated page. */
const marks = testFiles()
  .filter(({ name }) => name.endsWith(".test.ts"))
  .flatMap(({ name, text: test }) => {
    const rest = test.replace(MARK, "");
    return [...test.matchAll(MARK)].map(([, page = "", of = ""]) => ({
      name,
      page,
      of: of.split(", "),
      rest,
    }));
  });

describe.each(PAGES)("the blocks of %s", page => {
  it("are each run or compared by a test whose marker names them, and no marker names a missing one", () => {
    const claims = new Set(marks.flatMap(mark => (mark.page === page ? mark.of : [])));
    const examples = blocks(page).map(({ heading, language }) => {
      const any = `* ${language}`;
      return claims.has(any) ? any : `${heading} ${language}`;
    });
    expect([...claims].sort()).toEqual([...new Set(examples)].sort());
  });
});

it.each(marks)("$name reads $page, of which its marker names blocks", ({ page, rest }) => {
  expect(PAGES).toContain(page);
  expect(rest).toContain(page.replace("deploy/", ""));
});
