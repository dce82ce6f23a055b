import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { setProperties } from "../../bds/properties.ts";
import { bench, freshBench } from "../../test/helpers/server-setup.ts";

freshBench();

function give(values: Record<string, string>): void {
  const path = bench.path("server.properties");
  writeFileSync(path, setProperties(bench.read(path), values));
}
const notes = async (): Promise<readonly string[]> => (await bench.setUp({ dryRun: true })).plan.notes ?? [];

it("setup warns of what would keep players out, with the fix", async () => {
  expect(await notes()).toEqual([]);
  const file = bench.path("server.properties");
  give({ transport: "raknet" });
  expect(await notes()).toEqual([
    `transport is raknet: players of this game cannot join, and the server's console shows TRANSPORT TYPE ERROR: set transport=nethernet in ${file}`,
  ]);
  give({ transport: "nethernet", "server-udp-ports": "19140..19149", "server-portv6": "20000" });
  expect(await notes()).toEqual([
    `server-udp-ports: 19140..19149: expected a port, a range such as 19140-19149, or [address:]outside:inside of two of them: fix server-udp-ports in ${file}, or remove its line`,
  ]);
});

it("setup reports the line of server.properties that is not UTF-8, and finds the world by a valid one", async () => {
  const file = bench.path("server.properties");
  const before = readFileSync(file);
  expect(before.toString()).toContain("level-name=Ü");
  const old = Buffer.from("\nserver-name=M\xfcller\n", "latin1");
  writeFileSync(file, Buffer.concat([before, old]));
  expect(await notes()).toEqual([
    expect.stringMatching(
      /these lines are not UTF-8, unlike the others: line \d+ \(server-name\): retype these lines/,
    ),
  ]);
  await bench.setUp();
  const after = readFileSync(file);
  expect(after.includes(old)).toBe(true);
  expect(after.toString()).toContain("level-name=Ü");
});
