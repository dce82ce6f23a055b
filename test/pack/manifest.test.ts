import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";

describe("manifest.json", () => {
  const manifest = JSON.parse(readFileSync(new URL("../../manifest.json", import.meta.url), "utf8"));

  it("asks for the four modules by the beta selector", () => {
    expect(manifest.dependencies).toEqual(
      ["server", "server-ui", "server-net", "server-admin"].map(name => ({
        module_name: `@minecraft/${name}`,
        version: "beta",
      })),
    );
  });

  it("has two different version 4 uuids and names the entry", () => {
    const ids = [manifest.header.uuid, manifest.modules[0].uuid];
    expect(new Set(ids).size).toBe(2);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(manifest.modules[0].entry).toBe("scripts/main.js");
    expect(manifest.header.min_engine_version).toEqual([1, 26, 40]);
  });
});
