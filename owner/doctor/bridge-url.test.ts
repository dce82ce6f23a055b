import { describe, expect, it } from "@jest/globals";
import { isRemoteOrProxy } from "../../bds/address.ts";
import { configFrom } from "../../test/helpers/config.ts";
import { checkBridgeUrl } from "./bridge-url.ts";
import { doctorSystem } from "./system.ts";
import type { CheckedSidecar } from "./target.ts";

const OWN = ["127.0.0.1", "192.168.1.5", "::1"];

function sidecarFor(host: string, port = 8081): CheckedSidecar {
  return {
    ...{
      system: doctorSystem("/nowhere"),
      configFile: "/nowhere/config.yml",
      config: configFrom(`bridge: { host: "${host}", port: ${port} }`),
      written: { file: {}, environment: {} },
    },
    ...{ name: "main", token: undefined, tokens: new Map() },
  };
}

const refused = (code: string) => () =>
  Promise.reject(new TypeError("fetch failed", { cause: Object.assign(new Error(), { code }) }));
const answer = (status: number, error: string) => () => Promise.resolve(Response.json({ error }, { status }));
const SIDECAR = answer(401, "unauthorized");

/** The findings about an address, for a sidecar that listens at a host. */
const checkedUrl = (
  url: unknown,
  host = "127.0.0.1",
  reply: () => Promise<Response> = SIDECAR,
  isNamed = true,
) =>
  checkBridgeUrl(url, {
    sidecar: sidecarFor(host),
    system: { ...doctorSystem("/nowhere"), ownAddresses: () => OWN, fetch: reply },
    isNamed,
  });

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
  ])("may be %s for a sidecar at %s", async (url, host) => {
    expect((await checkedUrl(url, host)).state).toBe("ok");
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
    ["127.0.0.1:8081", "127.0.0.1"],
    ["http://127.0.0.1:8080", "127.0.0.1", "is http://127.0.0.1:8080, the address of the public listener"],
    ["https://127.0.0.1:8081", "127.0.0.1", "but the sidecar's bridge listener has no TLS"],
    ["http://0.0.0.0:8081", "127.0.0.1", "a wildcard address, which nothing can connect to"],
    ["https://me:hunter2@edited.example", "127.0.0.1", "bridge-url contains a user name or a password"],
    [undefined, "127.0.0.1"],
  ])("may not be %j for a sidecar at %s, and the correct one is printed", async (url, host, why = "") => {
    const { state, what, url: wanted } = await checkedUrl(url, host);
    expect([state, what]).toEqual(["problem", expect.stringContaining(`${why}, expected ${wanted}`)]);
    expect(what).not.toContain("hunter2");
  });

  it.each<[what: string, reply: () => Promise<Response>, state: string, says: string, option: string]>([
    ["reaches a sidecar", SIDECAR, "ok", "reaches a sidecar", " --bridge-url https://far.example"],
    ["leads to a site", answer(200, ""), "problem", "does not reach", " --bridge-url default"],
    [
      "leads to a sidecar that does not answer to that name",
      answer(421, "host_not_allowed"),
      "problem",
      "rejects this host name (421)",
      " --bridge-url https://far.example",
    ],
    ["is not reached", refused("ECONNREFUSED"), "note", "it cannot be reached from this machine; setup", ""],
    ["has no name", refused("EAI_AGAIN"), "note", "this machine cannot resolve that name; setup did not", ""],
  ])(
    "that was written by hand and %s is kept by setup only where a sidecar is",
    async (_, reply, state, says, option) => {
      const found = await checkedUrl("https://far.example", "127.0.0.1", reply, false);
      expect(found).toMatchObject({ state, what: expect.stringContaining(says), option });
    },
  );

  it("that setup already knows is not passed to it again", async () => {
    expect((await checkedUrl("https://far.example")).option).toBe("");
    const { what } = await checkedUrl("https://far.example", "127.0.0.1", refused("ECONNREFUSED"));
    expect(what).toMatch(/this machine$/);
  });

  it("is wrong if nothing answers and the sidecar only accepts connections from its own machine", async () => {
    expect(await checkedUrl("http://locahost:8081", "127.0.0.1", refused("ENOTFOUND"))).toEqual({
      state: "problem",
      what: "variables.json: bridge-url is http://locahost:8081, but nothing answers there: this machine cannot resolve that name, and the sidecar accepts connections from this machine only (bridge.host 127.0.0.1 in /nowhere/config.yml)",
      url: "http://127.0.0.1:8081",
      fix: "if the game server runs on another machine, set bridge.host to an address that it can reach instead",
      option: " --bridge-url default",
    });
    expect((await checkedUrl("http://bridge:8081", "0.0.0.0", refused("ENOTFOUND"))).state).toBe("note");
  });

  it("is wrong if it is that of a local proxy that does not respond", async () => {
    expect(await checkedUrl("https://127.0.0.1", "127.0.0.1", refused("ECONNREFUSED"))).toMatchObject({
      ...{ state: "problem", what: "nothing answers at https://127.0.0.1" },
      fix: "or start the proxy that should listen there",
    });
  });
});

describe("addresses", () => {
  it("with TLS are a proxy's, unless they are those of a listener of the sidecar, which has no TLS", () => {
    const { config } = sidecarFor("127.0.0.1");
    for (const url of ["https://127.0.0.1", "https://192.168.1.5:8081", "https://x:8081"])
      expect([url, isRemoteOrProxy(url, config, OWN)]).toEqual([url, true]);
    for (const url of ["https://127.0.0.1:8081", "https://localhost:8080"])
      expect([url, isRemoteOrProxy(url, config, OWN)]).toEqual([url, false]);
    expect(isRemoteOrProxy("https://192.168.1.5:8081", sidecarFor("0.0.0.0").config, OWN)).toBe(false);
    expect(isRemoteOrProxy("https://bridge.example:8081", sidecarFor("0.0.0.0").config, OWN)).toBe(true);
  });
});
