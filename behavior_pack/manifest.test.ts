import { readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

it("the manifest asks for the four modules by the beta selector, for games from 1.26.40, and names the entry", () => {
  const manifest = JSON.parse(read("../manifest.json"));
  const modules = ["server", "server-ui", "server-net", "server-admin"];
  expect(manifest.dependencies).toEqual(
    modules.map(name => ({ module_name: `@minecraft/${name}`, version: "beta" })),
  );
  expect(manifest.header.min_engine_version).toEqual([1, 26, 40]);
  expect(manifest.modules[0].entry).toBe("scripts/main.js");
});

it("the manifest of the pack that keeps achievements differs only in its modules, both stable in 1.26.40", () => {
  const { dependencies, ...rest } = JSON.parse(read("../dist/behavior_pack_stable/manifest.json"));
  expect(dependencies).toEqual([
    { module_name: "@minecraft/server", version: "2.9.0" },
    { module_name: "@minecraft/server-ui", version: "2.1.0" },
  ]);
  const { dependencies: _, ...others } = JSON.parse(read("../manifest.json"));
  expect(rest).toEqual(others);
});

it.each(["manifest.json", "resource_pack/manifest.json"])("%s says that it is an add-on", path => {
  expect(JSON.parse(read(`../${path}`)).metadata).toEqual({ product_type: "addon" });
});
