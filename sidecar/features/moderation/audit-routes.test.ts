import { expect, it } from "@jest/globals";
import { serving } from "../../../test/helpers/serving.ts";
import { keyOf, keysOf } from "../../../test/helpers/sidecar.ts";

const side = serving();
const entry = (name: string) => ({
  at: 5,
  key: "panel",
  address: "192.0.2.1",
  action: "player.kick",
  name,
  outcome: "kicked",
});
const all = ["c", "b", "a"].map(entry);
const start = (lines: readonly unknown[] = all): Promise<void> =>
  side.start({
    env: keysOf(keyOf("auditor", ["audit:read"])),
    auditReader: { newest: async limit => lines.slice(0, limit) },
  });
const read = (query = "", headers: Record<string, string> = { "X-Service-Api-Key": "key of the auditor" }) =>
  side.said(`/audit${query}`, { headers });

it("GET /audit returns as many of the newest entries as requested", async () => {
  await start();
  expect(await read()).toEqual([200, all]);
  expect(await read("?limit=2")).toEqual([200, all.slice(0, 2)]);
});

it("GET /audit omits invalid lines", async () => {
  await start([{ at: "yesterday" }, ...all]);
  expect(await read()).toEqual([200, all]);
});

it.each(["0", "201", "-1", "1.5", "", "many"])("GET /audit refuses the limit %j", async limit => {
  await start();
  expect(await read(`?limit=${limit}`)).toMatchObject([400, { error: "invalid_query" }]);
});

it("GET /audit needs a key with the scope audit:read", async () => {
  await start();
  expect((await read("", {}))[0]).toBe(401);
});
