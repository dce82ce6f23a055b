import { expect, it } from "@jest/globals";
import { KNOWN_SHOW, LINK_FORM, setChoices } from "../../owner/setup/choices.ts";

it.each([
  [
    "modules.api.link-form: modal\n",
    "chest",
    "modules.api.link-form: chest\n",
    "modules.api.link-form: modal -> chest",
  ],
  ["modules.api.link-form: chest\n", "chest", "modules.api.link-form: chest\n", undefined],
  ["", "chest", "modules.api.link-form: chest\n", "modules.api.link-form: (none) -> chest"],
  ["", "buttons", "", undefined],
  ["- no map\n", "chest", "- no map\n", undefined],
] as const)("%j asks by %s as %j, and is told as %j", (text, wanted, after, line) => {
  expect(setChoices(text, { [LINK_FORM]: wanted })).toEqual({ text: after, lines: line ? [line] : [] });
});

it("has a line for each of two choices, which says what everybody will see, or what is erased", () => {
  const { text, lines } = setChoices("", { [LINK_FORM]: "chest", [KNOWN_SHOW]: "everybody" });
  expect(text).toBe("modules.api.link-form: chest\nmodules.api.known-players.show: everybody\n");
  expect(lines).toEqual([
    "modules.api.link-form: (none) -> chest",
    "modules.api.known-players.show: (none) -> everybody: all can see who has played, when last, and how long",
  ]);
  expect(setChoices(text, { [KNOWN_SHOW]: "off" }).lines).toEqual([
    "modules.api.known-players.show: everybody -> off: what is remembered of players is erased when the sidecar starts",
  ]);
  expect(setChoices(text, { [KNOWN_SHOW]: undefined, [LINK_FORM]: "chest" })).toEqual({ text, lines: [] });
});
