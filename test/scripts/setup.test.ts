import { describe, expect, it } from "@jest/globals";
import { lastLine, skipLines, total, unexplained } from "../../scripts/setup/counts.mjs";
import { cleanEnvironment } from "../../scripts/setup/environment.mjs";
import { stampManifest } from "../../scripts/setup/manifest.mjs";
import { exitCode, handsOn } from "../../scripts/setup/run.mjs";

describe("cleanEnvironment", () => {
  it("drops what would change an installation, a build or a test", () => {
    const env = {
      NODE_ENV: "production",
      NODE_OPTIONS: "--inspect",
      WEB_BRIDGE_BRIDGE_PORT: "1",
      JEST_WORKER_ID: "x",
      DEBUG: "*",
      npm_config_omit: "dev",
      NPM_CONFIG_PRODUCTION: "true",
      npm_config_loglevel: "silent",
    };
    expect(cleanEnvironment(env)).toEqual({});
  });

  it("keeps what the machine needs", () => {
    const env = {
      PATH: "/bin",
      HOME: "/home/x",
      HTTPS_PROXY: "http://proxy",
      npm_config_registry: "http://registry",
    };
    expect(cleanEnvironment(env)).toEqual(env);
  });

  it("keeps the credentials and registries of scopes", () => {
    const env = { "npm_config_//registry/:_auth": "x", "npm_config_@scope:registry": "http://registry" };
    expect(cleanEnvironment(env)).toEqual(env);
  });
});

describe("counts", () => {
  const ran = (numPassedTests: number, numFailedTests: number, skips: string[] = []) => ({
    numPassedTests,
    numFailedTests,
    numRuntimeErrorTestSuites: 0,
    testResults: [
      { name: "", message: "", assertionResults: skips.map(fullName => ({ status: "pending", fullName })) },
    ],
  });

  it("passes on what the runner counted", () => {
    expect(lastLine(total(ran(3, 0), 0, 0))).toBe("3 passed, 0 failed");
    expect(lastLine(total(ran(3, 1, ["a", "b"]), 1, 0))).toBe("3 passed, 1 failed, 2 skipped");
  });

  it("counts a crash of the runner as one failure, whatever its exit code", () => {
    expect(lastLine(total(undefined, 1, 0))).toBe("0 passed, 1 failed");
    expect(lastLine(total(undefined, 0, 0))).toBe("0 passed, 1 failed");
  });

  it("counts an exit code that no test explains", () => {
    expect(lastLine(total(ran(3, 0), 1, 0))).toBe("3 passed, 1 failed");
  });

  it("adds the checks that failed", () => {
    expect(lastLine(total(ran(3, 1), 1, 2))).toBe("3 passed, 3 failed");
  });

  it("name what skipped tests would have needed, and the tests that do not say it", () => {
    const results = ran(1, 0, ["a [needs a browser]", "b", "suite [needs a browser] c"]);
    expect(skipLines(results)).toEqual(["skipped 2 tests for lack of: a browser"]);
    expect(unexplained(results)).toEqual(["b"]);
    expect([skipLines(undefined), unexplained(undefined)]).toEqual([[], []]);
  });
});

describe("running programs", () => {
  it("counts a signal as shells do", () => {
    expect(exitCode(3, null)).toBe(3);
    expect(exitCode(null, "SIGTERM")).toBe(143);
  });

  it("leaves the first Ctrl-C at a terminal to the terminal", () => {
    expect(handsOn("SIGINT", { terminal: true, count: 1, windows: false })).toBe(false);
    expect(handsOn("SIGINT", { terminal: true, count: 2, windows: false })).toBe(true);
  });

  it("hands every other signal on", () => {
    expect(handsOn("SIGINT", { terminal: false, count: 1, windows: false })).toBe(true);
    expect(handsOn("SIGTERM", { terminal: true, count: 1, windows: false })).toBe(true);
  });

  it("hands nothing on where a signal would kill at once", () => {
    expect(handsOn("SIGINT", { terminal: false, count: 1, windows: true })).toBe(false);
  });
});

describe("stampManifest", () => {
  const manifest = {
    format_version: 2,
    header: { name: "n", version: [0, 0, 0] },
    modules: [{ type: "script" }],
  };

  it("puts the product's version in the header and in each module", () => {
    const stamped = stampManifest(manifest, "1.2.3");
    expect(stamped.header).toEqual({ name: "n", version: [1, 2, 3] });
    expect(stamped.modules).toEqual([{ type: "script", version: [1, 2, 3] }]);
  });

  it("refuses a version that is none", () => {
    expect(() => stampManifest(manifest, "new")).toThrow('"version" is "new"');
  });
});
