import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@jest/globals";
import { readLevelDat } from "../../../bds/level-dat.ts";
import { freePort } from "../../../cli/free-port.ts";
import { makeStandIn } from "../../../lab/stand-in/put.ts";
import { makeServer } from "../../../scripts/make-server.mjs";
import { ask } from "../../../test/helpers/client.ts";
import { eventually } from "../../../test/helpers/eventually.ts";
import { newFolder } from "../../../test/helpers/folder.ts";
import { runTool } from "../../../test/helpers/tools.ts";
import { launch, onLinux, ownSidecar } from "../testing/launched.ts";

const KEY = "key-for-tests-of-the-console-link";
const HEADERS = { "X-Service-Api-Key": KEY };
const LEVEL = "worlds/Bedrock level/level.dat";

/** Texts of all files below a folder. */
const textsIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"))
    .join("\n");

onLinux.it("a game server without the experiment serves the website over its console", async () => {
  const folder = newFolder("game 'ü ");
  await makeServer(folder, { game: "1.26.60", levelName: "Bedrock level" });
  await makeStandIn(folder);
  const file = join(folder, "server.properties");
  const port = await freePort();
  writeFileSync(file, readFileSync(file, "utf8").replace(/^server-port=.*$/m, `server-port=${port}`));
  const { args, env, config } = ownSidecar();
  Object.assign(env, {
    WEB_BRIDGE_MODULES_API_PORT: `${await freePort()}`,
    WEB_BRIDGE_BRIDGE_PORT: `${await freePort()}`,
    WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: KEY,
  });
  const level = readFileSync(join(folder, LEVEL));
  const setup = await runTool("setup", ["--server", folder, ...args, "--keep-achievements", "--yes"], {
    env: { ...process.env, ...env },
  });
  expect(setup).toMatchObject({ code: 0, err: "" });
  expect(readFileSync(join(folder, LEVEL))).toEqual(level);

  const launched = launch({ folder, args, env, gameArgs: [] });
  const { api } = await launched.urls();
  await launched.prints("[web bridge] connected to the sidecar at http://127.0.0.1:");
  const get = async (path: string): Promise<unknown> => (await ask(api, path, { headers: HEADERS })).json;
  expect(await get("/players")).toEqual([]);
  expect(await get("/console.json")).toMatchObject({ gameChat: "command" });
  await eventually(async () => expect(await get("/whitelist")).toEqual(["Steve Alex"]));
  const added = await ask(api, "/whitelist", {
    body: { playerName: "Alex of the Hill" },
    headers: HEADERS,
  });
  expect(added.status).toBe(202);
  expect(await get("/whitelist")).toEqual(["Alex of the Hill", "Steve Alex"]);
  launched.type("allowlist list\n");
  await launched.prints('"command":"allowlist"');
  launched.type("stop\n");
  expect(await launched.ended).toBe(0);

  const printed = String(launched.printed);
  expect(printed.split('"command":"allowlist"')).toHaveLength(2);
  for (const text of [printed, launched.errors, textsIn(join(config, ".."))])
    expect(/bridge:console|\[web bridge\] (not connected|k[0-9a-f]{20})/.exec(text)).toBeNull();
  expect(printed).not.toMatch(/\n\n\n/);
  expect(readLevelDat(readFileSync(join(folder, LEVEL)))).toMatchObject({ betaApis: false });
});
