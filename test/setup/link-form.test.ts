import { expect, it } from "@jest/globals";
import { setLinkForm } from "../../owner/setup/link-form.ts";

it.each([
  ["modules.api.link-form: modal\n", "chest", "modules.api.link-form: chest\n", "modal"],
  ["modules.api.link-form: chest\n", "chest", "modules.api.link-form: chest\n", "chest"],
  ["modules.api.link-form: chest\n", "buttons", "modules.api.link-form: buttons\n", "chest"],
  ["", "chest", "modules.api.link-form: chest\n", undefined],
  ["modules.api.link-form:\n", "buttons", "modules.api.link-form:\n", undefined],
  ["", "buttons", "", undefined],
  ["- no map\n", "chest", "- no map\n", undefined],
] as const)("%j asks by %s as %j, and had %j", (text, wanted, after, was) => {
  expect(setLinkForm(text, wanted)).toEqual({ text: after, was });
});
