import { expect, it } from "@jest/globals";
import { isElsewhere } from "../../sidecar/features/servers/rules/elsewhere.ts";

it.each([
  ["nobody has the player", [false, false, false], 1, false],
  ["it has the player itself", [false, true, false], 1, false],
  ["an earlier one has the player", [true, false, false], 1, true],
  ["a later one has the player", [false, false, true], 1, true],
  ["it and a later one have the player", [false, true, true], 1, false],
  ["it and an earlier one have the player", [true, true, false], 1, true],
])("a player is elsewhere for a game server where %s: %j, %d: %s", (_what, listed, own, is) => {
  expect(isElsewhere(listed, own)).toBe(is);
});
