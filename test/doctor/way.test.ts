import { expect, it } from "@jest/globals";
import { systemSurroundings } from "../../owner/doctor/system.ts";
import { checkWay } from "../../owner/doctor/way.ts";
import { readConfig } from "../../sidecar/config/read.ts";

async function way(url: string, host: string, code: string | undefined, isNamed = true) {
  const read = readConfig(`bridge: { host: "${host}", port: 8081 }`, {}, "/nowhere");
  if ("faults" in read) throw new Error(read.faults.join("\n"));
  const written = { file: {}, environment: {} };
  const configFile = "/nowhere/config.yml";
  const side = {
    configFile,
    config: read.config,
    written,
    name: "main",
    token: undefined,
    tokens: new Map<string, string>(),
  };
  const refused = (): Promise<never> =>
    Promise.reject(new TypeError("fetch failed", { cause: Object.assign(new Error(), { code }) }));
  const answer = (): Promise<Response> =>
    Promise.resolve(Response.json({ error: "unauthorized" }, { status: 401 }));
  const around = { ...systemSurroundings("/nowhere"), fetch: code === undefined ? answer : refused };
  return (await checkWay({ url, isNamed }, side, around, "setup")).finding;
}

it("is wrong where nobody answers and the sidecar listens for its own machine, in one finding", async () => {
  expect(await way("http://locahost:8081", "127.0.0.1", "ENOTFOUND")).toEqual({
    id: "bridge-url",
    state: "problem",
    what: "variables.json: bridge-url is http://locahost:8081, and nobody answers there: this machine knows no such name, and the sidecar listens for this machine only (bridge.host 127.0.0.1 in /nowhere/config.yml)",
    mend: `for a game server on this machine: setup --bridge-url default  (for one elsewhere: node /nowhere/dist/tools/config.js set bridge.host -, which reads an address that it reaches, or start the proxy that is at http://locahost:8081)`,
  });
  expect(await way("http://172.0.0.1:8081", "127.0.0.1", "ETIMEDOUT")).toMatchObject({
    state: "problem",
    what: expect.stringContaining("it cannot be reached from this machine, and"),
  });
});

it("is not known where only the game server may reach it, and why is said", async () => {
  const found = [
    await way("http://bridge:8081", "0.0.0.0", "EAI_AGAIN"),
    await way("https://bridge", "127.0.0.1", "ECONNREFUSED"),
  ];
  expect(found.map(({ state, what }) => `${state}: ${what}`)).toEqual([
    "skipped: whether http://bridge:8081 leads to the sidecar: this machine knows no such name",
    "skipped: whether https://bridge leads to the sidecar: it cannot be reached from this machine",
  ]);
});

it("is not kept by setup where somebody has written it by hand, and how it is is said", async () => {
  expect((await way("https://bridge", "127.0.0.1", "ECONNREFUSED", false)).what).toMatch(
    /this machine; setup has not written it and puts its own back, .*: setup --bridge-url https:\/\/bridge$/,
  );
});

it("is right where a sidecar answers, whatever host that listens at", async () => {
  expect(await way("http://bridge:8081", "127.0.0.1", undefined)).toMatchObject({ state: "ok" });
});
