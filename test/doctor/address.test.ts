import { describe, expect, it } from "@jest/globals";
import { isBeyond, isElsewhere, urlOf } from "../../owner/bds/address.ts";
import { checkUrl } from "../../owner/doctor/address.ts";
import { systemSurroundings } from "../../owner/doctor/system.ts";
import type { Side } from "../../owner/doctor/target.ts";
import { readConfig } from "../../sidecar/config/read.ts";

const OWN = ["127.0.0.1", "192.168.1.5", "::1"];
const around = { ...systemSurroundings("/nowhere"), ownAddresses: () => OWN };

function sideOf(host: string, port = 8081): Side {
  const read = readConfig(`bridge: { host: "${host}", port: ${port} }`, {}, "/nowhere");
  if ("faults" in read) throw new Error(read.faults.join("\n"));
  return {
    configFile: "/nowhere/config.yml",
    config: read.config,
    written: { file: {}, environment: {} },
    name: "main",
    token: undefined,
    tokens: new Map(),
  };
}
const verdict = (url: unknown, host = "127.0.0.1", port = 8081) =>
  checkUrl({ side: sideOf(host, port), around, setup: "setup" }, url);

describe("bridge-url", () => {
  it.each([
    ["http://127.0.0.1:8081", "127.0.0.1"],
    ["http://127.0.0.1:8081/", "127.0.0.1"],
    ["http://localhost:8081", "127.0.0.1"],
    ["http://[::1]:8081", "::1"],
    ["http://[::1]:8081", "0:0:0:0:0:0:0:1"],
    ["http://localhost:8081", "::1"],
    ["http://127.0.0.1:8081", "localhost"],
    ["http://[::1]:8081", "::"],
    ["http://192.168.1.5:8081", "0.0.0.0"],
    ["http://192.168.1.5:8081", "192.168.1.5"],
    ["http://127.0.0.1:8081", "::"],
    ["http://bridge:9000", "127.0.0.1"],
    ["https://127.0.0.1", "127.0.0.1"],
  ])("may be %s for a sidecar at %s", (url, host) => {
    expect(verdict(url, host).finding.state).toBe("ok");
  });

  it.each([
    ["http://192.168.1.5:8081", "127.0.0.1"],
    ["http://127.0.0.1:8081", "192.168.1.5"],
    ["http://[::1]:8081", "127.0.0.1"],
    ["http://[::1]:8081", "localhost"],
    ["http://[::1]:8081", "0.0.0.0"],
    ["http://127.0.0.1:8081", "::1"],
    ["http://127.0.0.2:8081", "127.0.0.1"],
    ["http://127.0.0.1:8081/x", "127.0.0.1"],
    ["http://127.0.0.1", "127.0.0.1"],
    ["http://127.0.0.1:8080", "127.0.0.1"],
    ["127.0.0.1:8081", "127.0.0.1"],
    ["ftp://127.0.0.1:8081", "127.0.0.1"],
    ["http://127.0.0.1:99999", "127.0.0.1"],
    [8081, "127.0.0.1"],
    [undefined, "127.0.0.1"],
  ])("may not be %j for a sidecar at %s, and is told what is expected", (url, host) => {
    const { finding, url: wanted } = verdict(url, host);
    expect(finding).toMatchObject({ id: "bridge-url", state: "problem", mend: "setup" });
    expect(finding.what).toContain(`expected ${wanted}`);
  });

  it("is not shown where a password may be in it", () => {
    for (const url of ["http://me:hunter2@127.0.0.1:8081", "https://me:hunter2@far", "me:hunter2@far"]) {
      const { finding, url: wanted } = verdict(url);
      expect(finding.what).toBe(
        "variables.json: bridge-url has a name or a password in it, expected http://127.0.0.1:8081",
      );
      expect(wanted).toBe("http://127.0.0.1:8081");
    }
  });

  it("may not stand for every address of a machine", () => {
    for (const url of ["http://0.0.0.0:8081", "http://[::]:8081"])
      expect(verdict(url).finding).toMatchObject({
        state: "problem",
        what: `variables.json: bridge-url is ${url}, which stands for every address of a machine, expected http://127.0.0.1:8081`,
      });
  });

  it("may leave the port of http out", () => {
    expect(verdict("http://127.0.0.1", "127.0.0.1", 80).finding.state).toBe("ok");
  });

  it("is taken as it is while the sidecar's is not known", () => {
    const { finding, url } = checkUrl({ side: undefined, around, setup: "setup" }, "http://127.0.0.1:1");
    expect([finding.state, url]).toEqual(["ok", "http://127.0.0.1:1"]);
  });
});

describe("addresses", () => {
  it("of listeners on every address are the loopback's", () => {
    expect([urlOf({ host: "0.0.0.0", port: 1 }), urlOf({ host: "::1", port: 2 })]).toEqual([
      "http://127.0.0.1:1",
      "http://[::1]:2",
    ]);
  });

  it("are elsewhere when they are no own ones, or a proxy's", () => {
    const answers = [
      "http://[::1]:1",
      "http://192.168.1.5:1",
      "http://mine:1",
      "http://x:1",
      "https://127.0.0.1",
    ];
    expect(answers.map(url => isElsewhere(url, "mine", OWN))).toEqual([false, false, false, true, true]);
  });

  it("are a proxy's with TLS, unless they are those of a listener of the sidecar, which has none", () => {
    const { config } = sideOf("127.0.0.1");
    const beyond = ["https://127.0.0.1", "https://192.168.1.5:8081", "https://x:8081"];
    expect(beyond.map(url => isBeyond(url, config, OWN))).toEqual([true, true, true]);
    for (const url of ["https://127.0.0.1:8081", "https://localhost:8080"])
      expect([url, isBeyond(url, config, OWN)]).toEqual([url, false]);
    expect(isBeyond("https://192.168.1.5:8081", sideOf("0.0.0.0").config, OWN)).toBe(false);
    expect(isBeyond("https://bridge.example:8081", sideOf("0.0.0.0").config, OWN)).toBe(true);
  });

  it("with TLS to the sidecar's plain listener are wrong, and the plain one is named", () => {
    const { finding } = verdict("https://127.0.0.1:8081");
    expect(finding).toEqual({
      id: "bridge-url",
      state: "problem",
      what: "variables.json: bridge-url is https://127.0.0.1:8081, and the sidecar's listener for the pack has no TLS, expected http://127.0.0.1:8081",
      mend: "setup",
    });
  });
});
