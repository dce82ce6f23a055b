import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { loadConfig } from "../../sidecar/config/load.ts";
import { needs } from "../../test/helpers/needs.ts";
import { examine } from "./examine.ts";
import { isProblem } from "./finding.ts";
import { type Fixture, fixtureWithSetup, MODULE } from "./testing/fixture.ts";
import { type Situation, situation, testSituations } from "./testing/situations.ts";

// Own connections: passes on what the doctor asks.

const fixture = fixtureWithSetup();
const nothing = (): void => undefined;

/** Another value of a key of the configuration. */
const set = (key: string, value: string) => (text: string) =>
  text.replace(new RegExp(`^( *${key}: ).*`, "m"), `$1${value}`);
const api = (lines: string) => (text: string) => text.replace("    port:", `${lines}\n    port:`);

const CONFIG: Situation[] = [
  situation("config", "a wrong value is named with its key, and its removal fixes it", {
    newer: set("metrics-refresh-interval", "soon"),
    says: '"soon": expected a duration',
    fix: "npm run config -- remove modules.api.metrics-refresh-interval --config",
    first: nothing,
  }),
  situation("config", "an unknown key is to be corrected by hand", {
    newer: text => text.replace("host: 127", "hosst: 127"),
    says: /hosst: unknown key/,
    fix: "fix that line, then start the sidecar again",
  }),
  situation("config", "a configuration that is missing is made by setup", {
    prepare: ({ config }) => renameSync(config, `${config}.held`),
    says: "the sidecar's configuration does not exist (pass another file with --config)",
    fix: "npm run setup -- --server ",
  }),
  situation("token-file", "a missing token is created again, and the sidecar restarted", {
    prepare: ({ tokenFile }) => rmSync(tokenFile),
    says: "the sidecar has no token yet",
    first: nothing,
  }),
  situation("token-file", "a damaged token is made again", {
    prepare: ({ tokenFile }) => writeFileSync(tokenFile, "two words\n", { mode: 0o600 }),
    says: "bridge-token: does not contain a valid token",
    first: ({ tokenFile }) => rmSync(tokenFile),
  }),
  situation("fixed-ports", "a port that would be another one at each start is named", {
    newer: text => text.replace(/(bridge:\n.*\n {2}port: ).*/, "$10"),
    says: "problem: bridge.port is 0: the port would change at each start",
    fix: "npm run config -- set bridge.port 8081",
  }),
  situation("ports", "a listener for the add-on at the port of the game is named: the game keeps it", {
    newer: text => text.replace(/(bridge:\n.*\n {2}port: ).*/, "$119132"),
    says: "problem: the server and bridge.port both use port 19132",
    fix: "npm run config -- set bridge.port 8081",
  }),
  situation("disk-space", "a full disk is named", {
    system: () => ({ freeBytes: () => 1024 }),
    says: "0 MB are free",
    fix: "free at least 200 MB there",
  }),
  situation("disk-space", "a system that does not say how full its disk is, is no problem", {
    system: () => ({ freeBytes: () => undefined }),
    says: "note: free disk space is not known",
  }),
  situation("notes", "an admin key that could be guessed is noted, with what makes a good one", {
    config: set("admin-api-key", "x"),
    says: /^note: modules\.api\.admin-api-key could be guessed: make another key: npm run key -- <name> --write .*, then: npm run config -- remove modules\.api\.admin-api-key/,
  }),
  situation("notes", "a sidecar without a key is noted, with the command for a key that can moderate", {
    config: set("admin-api-key", '""'),
    says: /^note: there is no key yet.*: npm run key -- <name> --scopes players:kick,chat:announce,bans:read,bans:write,chat:mute --write /,
  }),
  situation("notes", "a proxy with TLS that is not trusted is noted, with the command that trusts it", {
    config: api("    cors-origins: [https://example.com]"),
    says: /cookies are not marked Secure; to change that: npm run config -- set modules\.api\.trust-proxy loopback/,
  }),
  situation("notes", "a proxy that is trusted is not noted", {
    config: api("    cors-origins: [https://example.com]\n    trust-proxy: loopback"),
    lacks: "trust-proxy",
  }),
  situation("notes", "the names by which alone a listener on loopback is called are noted", {
    says: "it answers to 127.0.0.1 and localhost only",
  }),
  situation("notes", "listed names are not noted", {
    config: api("    hosts: [bridge.example.com]"),
    lacks: "localhost only",
  }),
  situation("notes", "an address of Redis that is not used is noted", {
    config: text => `${text}storage:\n  url: redis://127.0.0.1:6379\n`,
    says: "note: storage.url is set and storage.kind is embedded",
  }),
];

describe("the sidecar's files", () => {
  testSituations(fixture, CONFIG);

  it("are reported in the sidecar's words when they are not UTF-8", async () => {
    writeFileSync(fixture.config, Buffer.from("# \xfc\nlog.level: info\n", "latin1"));
    const loaded = loadConfig(fixture.config, {});
    expect((await fixture.wrong()).map(({ what }) => what)).toEqual("faults" in loaded ? loaded.faults : []);
  });

  it("are not checked until there is a server folder", async () => {
    const options = { server: join(fixture.folder, "elsewhere"), config: join(fixture.folder, "none.yml") };
    const [first, second, ...more] = (await examine(options, fixture.system)).filter(isProblem);
    expect([first?.id, second?.id, more]).toEqual(["server-folder", "config", []]);
    expect(second?.fix).toEqual({
      text: "fix the server's folder first, then run doctor again",
    });
  });

  needs("file modes, not Windows", process.platform !== "win32").it(
    "are named when others may read the token, and noted when they may read a key",
    async () => {
      chmodSync(fixture.tokenFile, 0o644);
      expect(await fixture.wrong()).toMatchObject([
        { id: "token-file", fix: { command: `chmod 600 "${fixture.tokenFile}"` } },
      ]);
      chmodSync(fixture.config, 0o640);
      expect(await fixture.doctor()).toContainEqual({
        ...{ id: "config", state: "note" },
        what: expect.stringContaining(`(mode 640): as the sidecar's user, chmod 600 "${fixture.config}"`),
      });
    },
  );
});

const ADDRESS = Object.values(networkInterfaces())
  .flatMap(all => all ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;
const ports = (): [public_: number, bridge: number] => [
  fixture.running.publicAddress.port,
  fixture.running.bridgeAddress.port,
];
/** Starts the sidecar with other ports than its configuration says afterwards. */
async function startWith(publicPort: number, bridgePort: number): Promise<void> {
  const before = ports();
  await fixture.stopSidecar();
  fixture.writeConfig(publicPort, bridgePort);
  await fixture.startSidecar();
  fixture.writeConfig(...before);
}
const misnamed = (port: number) => ({
  fetch: (async (input, init) =>
    new URL(String(input)).port === String(port)
      ? Response.json({ error: "host_not_allowed" }, { status: 421 })
      : fetch(input, init)) satisfies typeof fetch,
});

const RUNNING: Situation[] = [
  situation("sidecar-running", "is named when it does not run, and its start fixes that", {
    prepare: ({ stopSidecar }) => stopSidecar.call(fixture),
    says: "the sidecar is not running: nothing answers at",
    first: nothing,
  }),
  situation("sidecar-running", "is named when it serves the public API elsewhere", {
    prepare: () => startWith(0, ports()[1]),
    says: "does not answer",
    first: nothing,
  }),
  situation("sidecar-running", "is named when it listens elsewhere for the add-on", {
    prepare: () => startWith(ports()[0], 0),
    says: "the bridge address, does not answer",
    first: nothing,
  }),
  situation("sidecar-running", "is named when its two ports have changed places", {
    prepare: () => startWith(ports()[1], ports()[0]),
    says: "is the sidecar's bridge listener",
    first: nothing,
  }),
  ...[0, 1].map(place => ({
    what: `is named when it rejects its host name, at listener ${place}`,
    id: "sidecar-running",
    system: () => misnamed(ports()[place] ?? 0),
    says: "a sidecar that rejects this host name (421)",
    fix: "stop the sidecar and start it again",
  })),
  situation("token-accepted", "is named when it has another token than its files", {
    prepare: ({ tokenFile, path }: Fixture) => {
      writeFileSync(tokenFile, "another-token-0123456789\n", { mode: 0o600 });
      const secrets = path.call(fixture, "config", MODULE, "secrets.json");
      writeFileSync(secrets, '{"bridge-token":"another-token-0123456789"}');
    },
    says: "the running sidecar has a different token than its configuration",
    first: nothing,
  }),
  situation("token-accepted", "is not said to have another token when it does not answer in time", {
    system: () => ({
      fetch: (input, init) =>
        new Headers(init?.headers).has("Authorization")
          ? Promise.reject(new DOMException("too late", "TimeoutError"))
          : fetch(input, init),
    }),
    says: "skipped: whether the sidecar accepts the bridge token: it did not answer in time",
  }),
  situation("sidecar-clock", "is named when its clock is another", {
    system: () => ({ now: () => Date.now() + 3_600_000 }),
    says: /^problem: the clocks of the sidecar and of this machine are \d+ s apart$/,
  }),
];

describe("the running sidecar", () => {
  testSituations(fixture, RUNNING);

  needs("an IPv4 address besides loopback", ADDRESS !== undefined).it(
    "is found by the address that it listens at, under any of its names",
    async () => {
      const hosts = `modules:\n  api:\n    hosts: [bridge.example.com]\n    host: ${ADDRESS}`;
      fixture.edit(fixture.config, text => text.replace(/modules:(.|\n)*?host: 127.0.0.1/, hosts));
      await fixture.restartSidecar();
      expect(await fixture.problems()).toEqual([]);
    },
  );

  it("gets the token only if it was identified as a sidecar", async () => {
    const tokens: (string | null)[] = [];
    const recorded: typeof fetch = async (_input, init) => {
      tokens.push(new Headers(init?.headers).get("Authorization"));
      return new Response('{"status":"ok"}');
    };
    expect(await fixture.problems({ fetch: recorded })).toEqual(["sidecar-running"]);
    expect(tokens.filter(token => token !== null)).toEqual([]);
  });
});

it("a product that was not built is reported", async () => {
  const none = join(fixture.folder, "none");
  const packs = { behavior: none, stable: none, resource: none };
  expect(await fixture.wrong({ packs })).toMatchObject([
    { id: "server-folder", what: "the add-on has not been built", fix: { command: "npm run build" } },
  ]);
});

it("a file in place of the server's folder leads to advice to name the folder", async () => {
  const server = fixture.path("server.properties");
  const found = await examine({ server, config: fixture.config }, fixture.system);
  expect(found.filter(isProblem)).toMatchObject([
    {
      id: "server-folder",
      fix: { text: "pass the folder with bedrock_server and server.properties as --server" },
    },
  ]);
});

it("the chest form includes the resource pack, and an unused pack is noted", async () => {
  await fixture.setUp(fixture.command("--chest-form"));
  await fixture.restartSidecar();
  expect(await fixture.problems()).toEqual([]);
  fixture.edit(fixture.config, set("link-form", "buttons"));
  await fixture.restartSidecar();
  expect(await fixture.verdictOf("resource-pack")).toMatch(
    /^note: .*installed but not used.+ to remove it: .+ --no-chest-form$/,
  );
  await fixture.setUp(fixture.command("--no-chest-form"));
  expect(JSON.stringify(await fixture.doctor())).not.toContain("resource pack");
});
