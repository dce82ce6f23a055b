import { writeFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { bench, freshBench, treeOf } from "../../test/helpers/server-setup.ts";

freshBench();

const PATH = "behavior_packs/web_bridge/manifest.json";
type Manifest = { dependencies: { module_name: string; version: string }[] };
const versions = (): string[] =>
  (JSON.parse(bench.read(bench.path(PATH))) as Manifest).dependencies.map(({ version }) => version);
const edit = (change: (text: string) => string): void =>
  writeFileSync(bench.path(PATH), change(bench.read(bench.path(PATH))));
const lines = (): string[] => bench.plan.items.flatMap(each => each.lines);

const BETA = ["beta", "beta", "beta", "beta"];
const FALLBACK = ["beta", "beta", "1.0.0-beta", "1.0.0-beta"];
const NUMBERS = "server=2.12.0-beta, server-ui=2.4.0-beta,server-net=1.0.0-beta,server-admin=beta";

it("gives the add-on's manifest the requested versions, and restores it byte for byte", async () => {
  const before = treeOf(bench.server);
  await bench.setUp({ moduleVersions: "1.0.0-beta" });
  expect(versions()).toEqual(FALLBACK);
  expect(lines()).toContain(
    "requires @minecraft/server-net 1.0.0-beta, @minecraft/server-admin 1.0.0-beta (to go back: --module-versions beta)",
  );
  await bench.setUp({ moduleVersions: NUMBERS });
  expect(versions()).toEqual(["2.12.0-beta", "2.4.0-beta", "1.0.0-beta", "beta"]);
  await bench.undo();
  expect(treeOf(bench.server)).toEqual(before);
});

it("keeps them in later runs and updates, until an option changes them", async () => {
  await bench.setUp();
  const plain = bench.read(bench.path(PATH));
  await bench.setUp({ moduleVersions: "1.0.0-beta" });
  expect((await bench.setUp()).end).toBe("nothing");
  bench.buildPack([0, 2, 0]);
  await bench.setUp();
  expect(versions()).toEqual(FALLBACK);
  bench.buildPack([0, 1, 0]);
  await bench.setUp({ moduleVersions: "beta" });
  expect(lines()).toContain("@minecraft/server-net: 1.0.0-beta -> beta");
  expect([versions(), bench.read(bench.path(PATH))]).toEqual([BETA, plain]);
});

it("keeps versions that an owner has written in another form", async () => {
  await bench.setUp();
  edit(text =>
    JSON.stringify(JSON.parse(text), undefined, 3).replace(/"beta"(?=\s*\}\s*\])/, '"1.0.0-beta"'),
  );
  const edited = bench.read(bench.path(PATH));
  expect(versions()).toContain("1.0.0-beta");
  expect((await bench.setUp()).end).toBe("nothing");
  expect(bench.read(bench.path(PATH))).toBe(edited);
});

it("shows which unsupported values it replaces", async () => {
  await bench.setUp();
  edit(text => text.replace('"beta"', '"2.9.0"'));
  await bench.setUp();
  expect(lines()).toContain("@minecraft/server: 2.9.0 -> beta");
  expect(versions()).toEqual(BETA);
});

it.each(["", "2.9.0", "server=2.9.0", "server-gametest=beta", "server=beta;server-ui=beta"])(
  "refuses %j and says what is expected",
  async moduleVersions => {
    await expect(bench.setUp({ moduleVersions })).rejects.toThrow(
      /^--module-versions: .*: expected beta, 1\.0\.0-beta, or a list such as server=2\.12\.0-beta,/,
    );
  },
);
