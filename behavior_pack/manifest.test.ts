import { readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";

it("the manifest asks for the four modules by the beta selector, for games from 1.26.40, and names the entry", () => {
  const manifest = JSON.parse(readFileSync(new URL("../manifest.json", import.meta.url), "utf8"));
  const modules = ["server", "server-ui", "server-net", "server-admin"];
  expect(manifest.dependencies).toEqual(
    modules.map(name => ({ module_name: `@minecraft/${name}`, version: "beta" })),
  );
  expect(manifest.header.min_engine_version).toEqual([1, 26, 40]);
  expect(manifest.modules[0].entry).toBe("scripts/main.js");
});
