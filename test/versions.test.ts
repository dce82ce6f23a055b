import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { NEWEST_TESTED } from "../bds/game-version.ts";
import { PRODUCT_VERSION } from "../shared/version.ts";

const read = (path: string): string => readFileSync(new URL(path, new URL("../", import.meta.url)), "utf8");

describe("versions and ids", () => {
  const { version } = JSON.parse(read("package.json"));
  const numbers = version.split(".").map(Number);
  const uuids = ({ header, modules }: Manifest): string[] => [
    header.uuid,
    ...modules.map(({ uuid }) => uuid),
  ];

  interface Manifest {
    header: { uuid: string; version: number[] };
    modules: { uuid: string; version: number[] }[];
  }

  it("have one version in package.json, its lock file and shared/version.ts", () => {
    expect(PRODUCT_VERSION).toBe(version);
    expect(JSON.parse(read("package-lock.json")).version).toBe(version);
  });

  it.each(["manifest.json", "dist/behavior_pack/manifest.json", "dist/behavior_pack_stable/manifest.json"])(
    "are the same in %s",
    file => {
      const manifest: Manifest = JSON.parse(read(file));
      expect(manifest.header.version).toEqual(numbers);
      for (const module of manifest.modules) expect(module.version).toEqual(numbers);
      expect(new Set(uuids(manifest)).size).toBe(2);
      expect(uuids(manifest)).toEqual(uuids(JSON.parse(read("manifest.json"))));
    },
  );

  it("are the types of the newest tested game, and of the oldest one that the pack supports", () => {
    const { devDependencies } = JSON.parse(read("package.json"));
    const { header } = JSON.parse(read("manifest.json"));
    const [newest, oldest] = [NEWEST_TESTED, header.min_engine_version].map(game => game.join("."));
    for (const module of ["@minecraft/server", "@minecraft/server-ui"]) {
      expect(devDependencies[module]).toContain(`-beta.${newest}-`);
      expect(devDependencies[`${module}-${oldest.replaceAll(".", "-")}`]).toContain(`-beta.${oldest}-`);
    }
  });
});
