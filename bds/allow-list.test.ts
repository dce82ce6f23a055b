import { expect, it } from "@jest/globals";
import { readAllowList } from "./allow-list.ts";

const full = '{"ignoresPlayerLimit":false,"name":"Steve Alex","xuid":"2535400000000000"}';

it.each([
  [undefined, 0],
  ["", 0],
  ["\uFEFF \n", 0],
  ["[]", 0],
  [`[${full}]`, 1],
  [`\uFEFF[\r\n// me\r\n${full}, {"name":"Alex"}]`, 2],
])("counts who may join by %j", (text, count) => {
  expect(readAllowList(text)).toEqual({ count, wrong: [] });
});

it("names invalid entries, and suggests corrections", () => {
  expect(
    readAllowList(
      `[${full},"Alex","Steve Alex",{"nam":"Steve"},{"name":7},{"name":""},[],{"xuid":"2535400000000000"},7,null,{"name":" "}]`,
    ),
  ).toEqual({
    count: 2,
    wrong: [
      { entry: "Alex", suggestion: { name: "Alex" } },
      { entry: "Steve Alex", suggestion: { name: "Steve Alex" } },
      { entry: { nam: "Steve" }, suggestion: { name: "Steve" } },
      { entry: { name: 7 }, suggestion: undefined },
      { entry: { name: "" }, suggestion: undefined },
      { entry: [], suggestion: undefined },
      { entry: { xuid: "2535400000000000" }, suggestion: undefined },
      { entry: 7, suggestion: undefined },
      { entry: null, suggestion: undefined },
    ],
  });
});

it.each([
  ["{}", "expected a list of players: [ ... ]"],
  ["null", "expected a list of players: [ ... ]"],
  [`[${full},]`, expect.stringMatching(/^invalid JSON at line 1, column 77: /)],
  ["[Steve]", expect.stringMatching(/^invalid JSON at /)],
])("rejects %s", (text, fault) => {
  expect(readAllowList(text)).toEqual({ fault });
});
