import { expect, it } from "@jest/globals";
import type { ModeratorEntry } from "../../config/admin-keys.ts";
import { entryOf } from "./rules.ts";

const UUID = "0a1b2c3d-4e5f-5a6b-8c7d-9e0f1a2b3c4d";
const entry = (player: string): ModeratorEntry => ({ player, scopes: ["players:kick"], servers: undefined });
const ENTRIES = [entry("steve"), entry(UUID), entry("strasse")];

it.each([
  ["by uuid, before the name", { uuid: UUID, name: "Steve" }, ENTRIES[1]],
  ["by name, ignoring case", { uuid: "other", name: "STEVE" }, ENTRIES[0]],
  ["not by a name that bans take for the same", { uuid: "other", name: "Straße" }, undefined],
  ["by neither", { uuid: "other", name: "Alex" }, undefined],
  ["not by a name that is written like a uuid", { uuid: "other", name: UUID }, undefined],
])("a moderator is found %s", (_, player, expected) => {
  expect(entryOf(ENTRIES, player)).toBe(expected);
});
