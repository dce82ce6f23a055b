import { beforeEach, expect, it } from "@jest/globals";
import { banChange } from "../../../shared/bans.ts";
import { check } from "../../../shared/guard.ts";
import { AUTHOR_LENGTH, NAME_LENGTH } from "../../../shared/limits.ts";
import { createTestApp, STEVE, type TestApp } from "../../../test/helpers/test-app.ts";
import { join, leave, steve } from "../known-players/testing/known.ts";

const BY = { key: "moderator", address: "192.0.2.1" };

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp({ players: [] });
});

it("a moderator with the longest name bans a player, and the pack can read the ban", async () => {
  const key = `player:${"m".repeat(NAME_LENGTH)}`;
  await app.bans.add({ who: { name: "Kai" } }, { ...BY, key });
  expect(await app.bans.list()).toMatchObject([{ name: "Kai", by: key.slice(0, AUTHOR_LENGTH) }]);
  for (const change of await app.pack.bans()) expect(check(banChange, change)).toEqual({ value: change });
  expect(app.audit).toMatchObject([{ key, action: "ban.add" }]);
  await app.bans.remove({ name: "Kai" }, { ...BY, key });
  for (const change of await app.pack.bans()) expect(check(banChange, change)).toEqual({ value: change });
});

it("a name that is too long for a player matches nobody, and does not fill the audit log", async () => {
  for (const player of [STEVE, { ...STEVE, id: "-7", persistentId: "ANOTHER" }]) {
    await join(app.pack, steve({ player }));
    await leave(app.pack, steve({ player }));
  }
  const long = `Steve${" ".repeat(10_000)}`;
  expect(await app.bans.add({ who: { name: long } }, BY)).toEqual({ outcome: "invalid_name" });
  expect(await app.bans.remove({ name: long }, BY)).toEqual({ outcome: "not_banned" });
  expect(app.audit).toEqual([]);
});

it("extra spaces in a name do not matter for an unknown player either", async () => {
  const banned = await app.bans.add({ who: { name: "  new   guy " } }, BY);
  expect(banned).toMatchObject({ outcome: "banned", ban: { name: "new guy" } });
  expect(await app.bans.remove({ name: " NEW guy" }, BY)).toEqual({ outcome: "unbanned" });
});
