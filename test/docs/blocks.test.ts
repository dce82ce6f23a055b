import { describe, expect, it } from "@jest/globals";
import { testFiles } from "../helpers/test-files.ts";
import { blocks, PAGES } from "./pages.ts";

/** What a test says of itself: of which page it runs, compares or reads which blocks, by heading and language. */
const MARK = /^\/\/ Blocks of (\S+): (.+)$/gm;

/** Those marks; `*` is every heading of a page that is made from something else. */
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
  it("are each run or compared by a test that says so, and no test says so of one that is gone", () => {
    const claims = new Set(marks.flatMap(mark => (mark.page === page ? mark.of : [])));
    const shown = blocks(page).map(({ heading, language }) => {
      const any = `* ${language}`;
      return claims.has(any) ? any : `${heading} ${language}`;
    });
    expect([...claims].sort()).toEqual([...new Set(shown)].sort());
  });
});

it.each(marks)("$name reads $page, of which it says that it tries blocks", ({ page, rest }) => {
  expect(PAGES).toContain(page);
  expect(rest).toContain(page.replace("deploy/", ""));
});
