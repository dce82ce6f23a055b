import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { readProperties, setProperties } from "../../owner/bds/properties.ts";
import type { Finding } from "../../owner/doctor/finding.ts";
import { treeOf } from "../helpers/server-setup.ts";
import { Fixture } from "./fixture.ts";
import { follow, keep } from "./mends.ts";

// Own connections: passes on what the doctor asks.

const fixture = new Fixture();
/** The variables of the game server's container, as the doctor's has them too. */
const CONTAINER = { EULA: "TRUE", VERSION: "1.26.60.6", ALLOW_LIST: "true" };

beforeAll(async () => {
  await fixture.make();
  await fixture.setUp();
  renameSync(fixture.path("bedrock_server"), fixture.path("bedrock_server-1.26.60.6"));
});
afterAll(() => fixture.remove());

const examined = (env: Record<string, string>): Promise<Finding[]> => fixture.doctor({ env });
const problemsIn = (findings: readonly Finding[]) =>
  findings.flatMap(each => (each.state === "problem" ? [each] : []));
const properties = (): string => fixture.path("server.properties");

/** What the entry of the image does at each start with the variables that matter here. */
function startOfImage(env: Record<string, string>): void {
  const { ALLOW_LIST_USERS: users, ALLOW_LIST } = env;
  if (users !== undefined) {
    const list = users.split(",").map(name => ({ ignoresPlayerLimit: false, name }));
    writeFileSync(fixture.path("allowlist.json"), `${JSON.stringify(list)}\n`);
  }
  const list = users === undefined ? ALLOW_LIST : "true";
  if (list !== undefined)
    fixture.edit(properties(), text => `${setProperties(text, { "allow-list": list })}# started\n`);
}

it("finds nothing wrong with the folder of an image that is told no names", async () => {
  expect(problemsIn(await examined(CONTAINER))).toEqual([]);
});

it("finds the pack in its place after an update by the image, which replaces what is Mojang's", async () => {
  const packs = fixture.path("behavior_packs");
  const before = treeOf(packs);
  const mojangs = /(^|\/)(vanilla|chemistry|experimental)[^/]*(\/|$)/;
  for (const name of Object.keys(before).filter(each => mojangs.test(each)))
    rmSync(join(packs, name), { recursive: true, force: true });
  mkdirSync(fixture.path("backup-pre-1.26.60.7", "definitions"), { recursive: true });
  renameSync(fixture.path("bedrock_server-1.26.60.6"), fixture.path("bedrock_server-1.26.60.7"));
  expect(Object.keys(treeOf(packs))).toEqual(Object.keys(before).filter(name => !mojangs.test(name)));
  expect(Object.keys(before).filter(name => name.startsWith("web_bridge/"))).not.toEqual([]);
  expect(problemsIn(await examined(CONTAINER))).toEqual([]);
});

it.each(["ALLOW_LIST_USERS", "WHITE_LIST_USERS"])(
  "names %s, by which names that were added over the web are lost",
  async name => {
    const list = fixture.path("allowlist.json");
    const back = keep(list);
    writeFileSync(list, '[{"name":"Steve Alex"},{"name":"Added By Web"}]');
    const env = { ...CONTAINER, [name]: "Steve Alex" };
    const [found, ...others] = problemsIn(await examined(env));
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      id: "allow-list-users",
      mend: expect.stringContaining(`take ${name} out`),
    });
    startOfImage({ ...CONTAINER, ALLOW_LIST_USERS: "Steve Alex" });
    expect(readFileSync(list, "utf8")).not.toContain("Added By Web");
    // Mended: the variable is gone, and the list stays as it is.
    writeFileSync(list, '[{"name":"Steve Alex"},{"name":"Added By Web"}]');
    startOfImage(CONTAINER);
    expect(problemsIn(await examined(CONTAINER))).toEqual([]);
    expect(readFileSync(list, "utf8")).toContain("Added By Web");
    back();
  },
);

it("says nothing of it where nothing can be added over the web", async () => {
  const back = keep(fixture.config);
  fixture.edit(fixture.config, text => text.replace(/ +admin-api-key: .*\n/, ""));
  const findings = await examined({ ...CONTAINER, ALLOW_LIST_USERS: "Steve Alex" });
  expect(findings.map(({ id }) => id)).not.toContain("allow-list-users");
  back();
});

it("mentions it where the variables of the container are not known", async () => {
  const found = (await examined({})).find(({ id }) => id === "allow-list-users");
  expect(found).toMatchObject({ state: "note", what: expect.stringContaining("ALLOW_LIST_USERS") });
});

it("gives the variable in the place of the property that it sets", async () => {
  const list = fixture.path("allowlist.json");
  const back = keep(list);
  writeFileSync(list, "[]");
  const [found] = problemsIn(await examined(CONTAINER));
  expect(found).toMatchObject({
    id: "allow-list",
    mend: expect.stringMatching(/^set ALLOW_LIST=false for /),
  });
  const mended = { ...CONTAINER, ALLOW_LIST: "false" };
  startOfImage(mended);
  expect(problemsIn(await examined(mended))).toEqual([]);
  startOfImage(CONTAINER);
  back();
});

it("gives the variable where setup would change what the next start undoes", async () => {
  const back = keep(properties());
  const key = "content-log-console-output-enabled";
  writeFileSync(properties(), setProperties(readFileSync(properties(), "utf8"), { [key]: "false" }));
  const [of] = problemsIn(await examined({ ...CONTAINER, CONTENT_LOG_CONSOLE_OUTPUT_ENABLED: "false" }));
  expect(of?.mend).toMatch(/^set CONTENT_LOG_CONSOLE_OUTPUT_ENABLED=true for /);
  const [without] = problemsIn(await examined(CONTAINER));
  expect(without?.mend).toMatch(/^npm run setup /);
  back();
  expect(readProperties(readFileSync(properties(), "utf8")).get(key)).toBe("true");
});

it("finds a sidecar on another machine by the name that it is given", async () => {
  const back = keep(fixture.config);
  const { publicAddress, bridgeAddress } = fixture.running;
  const asked = { server: fixture.server, config: fixture.config };
  const around = { ...fixture.around, env: CONTAINER };
  const { examine } = await import("../../owner/doctor/examine.ts");
  const there = await examine({ ...asked, sidecar: "nobody.invalid" }, around);
  expect(problemsIn(there).map(({ id }) => id)).toEqual(expect.arrayContaining(["sidecar-running"]));
  expect(JSON.stringify(there)).toContain(`http://nobody.invalid:${publicAddress.port}`);
  const calls: string[] = [];
  const fetchThere: typeof fetch = (url, init) => {
    calls.push(String(url));
    return fetch(String(url).replace(hostname(), "127.0.0.1"), init);
  };
  await fixture.setUp(fixture.command(`--bridge-url http://${hostname()}:${bridgeAddress.port}`));
  const found = await examine({ ...asked, sidecar: hostname() }, { ...around, fetch: fetchThere });
  expect(problemsIn(found)).toEqual([]);
  expect(found).toContainEqual(
    expect.objectContaining({ id: "bridge-url", what: expect.stringContaining("where the sidecar listens") }),
  );
  expect(calls.every(url => url.startsWith(`http://${hostname()}:`))).toBe(true);
  fixture.edit(fixture.config, text => text.replace("  api:\n", "  api:\n    hosts: [bridge.example.com]\n"));
  const refused = problemsIn(
    await examine({ ...asked, sidecar: hostname() }, { ...around, fetch: fetchThere }),
  );
  expect(refused).toMatchObject([{ id: "hosts" }]);
  const [problem] = refused;
  await follow(fixture, "", problem?.mend ?? "");
  expect(
    problemsIn(await examine({ ...asked, sidecar: hostname() }, { ...around, fetch: fetchThere })),
  ).toEqual([]);
  back();
});
