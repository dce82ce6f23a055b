import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, expect, it } from "@jest/globals";
import { setProperties } from "../../bds/properties.ts";
import { treeOf } from "../../test/helpers/server-setup.ts";
import { examine } from "./examine.ts";
import { isProblem, type Problem } from "./finding.ts";
import { fixtureWithSetup } from "./testing/fixture.ts";
import { run } from "./testing/run-fix.ts";

// Own connections: passes on what the doctor asks.

const fixture = fixtureWithSetup();
/** The variables of the game server's container, as the doctor's has them too. */
const CONTAINER = { EULA: "TRUE", VERSION: "1.26.60.6", ALLOW_LIST: "true" };

beforeAll(() => {
  renameSync(fixture.path("bedrock_server"), fixture.path("bedrock_server-1.26.60.6"));
  fixture.keep();
});
afterEach(() => fixture.restore());

const problems = (env: Record<string, string>): Promise<Problem[]> => fixture.wrong({ env });
const set = (values: Record<string, string>): void =>
  fixture.edit(fixture.path("server.properties"), text => setProperties(text, values));

it("finds no problem in the folder of an image, before and after it updates the game", async () => {
  expect(await problems(CONTAINER)).toEqual([]);
  const packs = fixture.path("behavior_packs");
  const mojangs = /(^|\/)(vanilla|chemistry|experimental)[^/]*(\/|$)/;
  for (const name of Object.keys(treeOf(packs)).filter(each => mojangs.test(each)))
    rmSync(join(packs, name), { recursive: true, force: true });
  mkdirSync(fixture.path("backup-pre-1.26.60.7", "definitions"), { recursive: true });
  renameSync(fixture.path("bedrock_server-1.26.60.6"), fixture.path("bedrock_server-1.26.60.7"));
  expect(await problems(CONTAINER)).toEqual([]);
});

it.each(["ALLOW_LIST_USERS", "WHITE_LIST_USERS"])(
  "names %s, which loses names that were added on the website",
  async name => {
    const env = { ...CONTAINER, [name]: "Steve Alex" };
    expect(await problems(env)).toMatchObject([
      {
        id: "allow-list-users",
        what: expect.stringContaining(`${name} is set for the game server's container`),
        fix: { text: expect.stringContaining(`remove ${name} from`), command: "docker compose up -d bds" },
      },
    ]);
    fixture.edit(fixture.config, text => text.replace(/ +admin-api-key: .*\n/, ""));
    expect((await problems(env)).map(({ id }) => id)).not.toContain("allow-list-users");
  },
);

it("names the variable that sets a property at each start, otherwise the property or setup", async () => {
  writeFileSync(fixture.path("allowlist.json"), "[]");
  expect((await problems(CONTAINER))[0]?.fix).toEqual({
    text: expect.stringMatching(/^set ALLOW_LIST=false for the game server's container/),
    command: "docker compose up -d bds",
  });
  fixture.restore();
  set({ "content-log-console-output-enabled": "false" });
  const variable = { ...CONTAINER, CONTENT_LOG_CONSOLE_OUTPUT_ENABLED: "false" };
  expect((await problems(variable))[0]?.fix.text).toMatch(
    /^set CONTENT_LOG_CONSOLE_OUTPUT_ENABLED=true for /,
  );
  expect((await problems(CONTAINER))[0]?.fix.command).toBe(fixture.command());
});

it("finds a sidecar on another machine by the given name", async () => {
  const { publicAddress, bridgeAddress } = fixture.running;
  const calls: string[] = [];
  const fetchThere: typeof fetch = (url, init) => {
    calls.push(String(url));
    return fetch(String(url).replace(hostname(), "127.0.0.1"), init);
  };
  const found = (sidecar: string) =>
    examine(
      { server: fixture.server, config: fixture.config, sidecar },
      { ...fixture.system, env: CONTAINER, fetch: fetchThere },
    );
  expect(JSON.stringify(await found("nobody.invalid"))).toContain(
    `the sidecar is not running: nothing answers at http://nobody.invalid:${publicAddress.port}`,
  );
  await fixture.setUp(fixture.command(`--bridge-url http://${hostname()}:${bridgeAddress.port}`));
  calls.length = 0;
  const there = await found(hostname());
  expect(there.filter(isProblem)).toEqual([]);
  expect(there.find(({ id }) => id === "bridge-url")?.what).toContain("the sidecar's bridge listener");
  expect(calls.every(url => url.startsWith(`http://${hostname()}:`))).toBe(true);
  fixture.edit(fixture.config, text => text.replace("  api:\n", "  api:\n    hosts: [bridge.example.com]\n"));
  const [refused, ...more] = (await found(hostname())).filter(isProblem);
  expect([refused?.id, more]).toEqual(["hosts", []]);
  await run(fixture, refused?.fix.command ?? "");
  expect((await found(hostname())).filter(isProblem)).toEqual([]);
  expect(readFileSync(fixture.config, "utf8")).toContain(hostname());
});
