import { expect, it } from "@jest/globals";
import { titleOf, withDistinctTitles } from "./server-titles.ts";

it("game servers with the same title have their names before it", () => {
  const servers = [
    { name: "one", title: "Survival" },
    { name: "two", title: "Survival" },
    { name: "lobby", title: "The lobby" },
    { name: "creative", title: null },
  ].map(server => ({ ...server, gameChat: null }));
  expect(withDistinctTitles(servers).map(titleOf)).toEqual([
    "one · Survival",
    "two · Survival",
    "The lobby",
    "creative",
  ]);
});
