import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { findNpm, type Packages, whyInstall } from "../../scripts/setup/dependencies.mjs";

const locked: Packages = {
  "": { version: "0.1.0" },
  "node_modules/ws": { version: "8.0.0" },
  "node_modules/jest": { version: "30.0.0", dev: true },
  "node_modules/@native/win32": { version: "1.0.0", optional: true },
};
const installed: Packages = {
  "node_modules/ws": { version: "8.0.0" },
  "node_modules/jest": { version: "30.0.0" },
};
const state = {
  locked,
  installed,
  installedFor: "linux-x64",
  platform: "linux-x64",
  dev: true,
  isThere: () => true,
};

describe("whyInstall", () => {
  it("finds nothing to do when every package has the version of the lock file", () => {
    expect(whyInstall(state)).toBeUndefined();
  });

  it("installs when npm never finished", () => {
    expect(whyInstall({ ...state, installed: undefined })).toBe("they are missing");
  });

  it("installs when a package has another version", () => {
    const old = { ...installed, "node_modules/ws": { version: "7.0.0" } };
    expect(whyInstall({ ...state, installed: old })).toBe("ws has changed");
  });

  it("installs when a package is not there", () => {
    expect(whyInstall({ ...state, installed: { "node_modules/ws": { version: "8.0.0" } } })).toBe(
      "jest has changed",
    );
  });

  it("installs again when somebody has removed a package", () => {
    expect(whyInstall({ ...state, isThere: path => path !== "node_modules/ws" })).toBe("ws is missing");
  });

  it("does without developers' tools where they are not needed", () => {
    const production = { "node_modules/ws": { version: "8.0.0" } };
    expect(whyInstall({ ...state, installed: production, dev: false })).toBeUndefined();
  });

  it("installs again for another platform", () => {
    expect(whyInstall({ ...state, platform: "win32-x64" })).toBe("they are for linux-x64");
  });

  it("trusts an installation that somebody made by hand", () => {
    expect(whyInstall({ ...state, installedFor: undefined })).toBeUndefined();
  });
});

describe("findNpm", () => {
  const beside = join("/opt/a b/bin", "node_modules", "npm", "bin", "npm-cli.js");

  it("takes the npm that runs the script", () => {
    const own = "/x/npm-cli.js";
    expect(findNpm("/opt/a b/bin/node", own, () => true)).toBe(own);
  });

  it("takes the npm that came with Node when another tool runs the script", () => {
    expect(findNpm("/opt/a b/bin/node", "/x/yarn.js", path => path === beside)).toBe(beside);
  });

  it("finds the npm of a Unix installation", () => {
    const unix = join("/opt/a b/lib/node_modules/npm/bin/npm-cli.js");
    expect(findNpm("/opt/a b/bin/node", undefined, path => path === unix)).toBe(unix);
  });

  it("finds nothing where there is nothing", () => {
    expect(findNpm("/opt/node", undefined, () => false)).toBeUndefined();
  });
});
