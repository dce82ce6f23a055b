import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { pageOf } from "./pages.ts";

const read = (url: string, all: readonly string[]) => {
  const page = pageOf(url, all, name => name);
  if ("fault" in page) throw new Error(page.fault.message);
  return page.value;
};

describe("a list", () => {
  it("is complete if no page is requested, also past caches", () => {
    const all = ["b", "a"];
    expect(read("/list", all)).toEqual({ elements: all, headers: {} });
    expect(read("/list?_=1", all)).toEqual({ elements: all, headers: {} });
  });

  it("has each element once over its pages, in the order of code units", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.oneof(fc.string({ unit: "grapheme", maxLength: 8 }), fc.constantFrom("\ud800", "\udfff")),
        ),
        fc.integer({ min: 1, max: 9 }),
        (all, limit) => {
          const seen: string[] = [];
          for (let at = `?limit=${limit}`; at !== ""; ) {
            const { elements, headers } = read(`/list${at}`, all);
            seen.push(...elements);
            at = /^<(.*)>; rel="next"$/.exec(headers.Link ?? "")?.[1] ?? "";
          }
          expect(seen).toEqual([...all].sort());
        },
      ),
    );
  });

  it("continues in the same position when the last element of a page is gone", () => {
    const [, next = ""] = /<(.*)>/.exec(read("/list?limit=1", ["a", "b", "c"]).headers.Link ?? "") ?? [];
    expect(read(`/list${next}`, ["b", "c"]).elements).toEqual(["b"]);
  });

  it.each([
    ["limit=0", "limit"],
    ["limit=201", "limit"],
    ["limit=1.5", "limit"],
    ["limit=", "limit"],
    ["after=!", "after"],
    ["limit=x&after=!", "limit"],
    ["limit=1&limit=2", "limit"],
    ["after=&after=", "after"],
    ["search=x", "search"],
  ])("has no page for %s", (query, field) => {
    expect(pageOf(`/list?${query}`, [], String)).toMatchObject({ fault: { field } });
  });
});
