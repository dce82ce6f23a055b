import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import type { Finding } from "../../owner/doctor/finding.ts";
import type { Surroundings } from "../../owner/doctor/target.ts";
import { needs } from "../helpers/runner.ts";
import { ADMIN_KEY } from "../helpers/sidecar.ts";
import { MODULE } from "./breaks.ts";
import { standing } from "./fixture.ts";
import { follow, keep } from "./mends.ts";

// Own connections: passes on what the doctor asks.

const fixture = standing();

const problemsIn = (findings: readonly Finding[]) =>
  findings.flatMap(each => (each.state === "problem" ? [each] : []));
const stateOf = (findings: readonly Finding[], id: string): string | undefined =>
  findings.find(each => each.id === id)?.state;
const variables = (): string => fixture.path("config", MODULE, "variables.json");
const secrets = (): string => fixture.path("config", MODULE, "secrets.json");

/** Expects this one problem, and that following advice, step by step, mends it. */
async function mended(id: string, more: Partial<Surroundings> = {}): Promise<void> {
  const first = await fixture.doctor(more);
  expect(problemsIn(first).map(each => each.id)).toEqual([id]);
  expect(JSON.stringify(first)).not.toContain(ADMIN_KEY);
  for (let step = 0; step < 3; step++) {
    const [problem] = await fixture.wrong(more);
    if (problem !== undefined) await follow(fixture, problem.what, problem.mend);
  }
  expect(await fixture.problems(more)).toEqual([]);
}
/** Expects this one problem; it is put right by hand. */
async function named(id: string, back: () => void, more: Partial<Surroundings> = {}): Promise<void> {
  expect(await fixture.problems(more)).toEqual([id]);
  back();
  expect(await fixture.problems()).toEqual([]);
}
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

describe("the sidecar's files", () => {
  it("are named when the configuration is wrong, key by key, and secrets are not shown", async () => {
    const back = keep(fixture.config);
    fixture.edit(fixture.config, text => text.replace("200ms", "soon").replace("host: 127", "hosst: 127"));
    const found = await fixture.wrong();
    expect(found.map(({ id }) => id)).toEqual(["config", "config"]);
    expect(found.map(({ what }) => what).join("\n")).toMatch(
      /hosst: unknown key(.|\n)*"soon": expected a duration/,
    );
    fixture.edit(fixture.config, text => text.replace("hosst", "host"));
    await mended("config");
    back();
    await fixture.restartSidecar();
    expect(await fixture.problems()).toEqual([]);
  });

  it("are named when there is no configuration", async () => {
    const held = `${fixture.config}.held`;
    renameSync(fixture.config, held);
    const [problem] = await fixture.wrong();
    expect(problem).toMatchObject({
      id: "config",
      mend: expect.stringMatching(/^npm run setup -- --server "/),
    });
    await named("config", () => renameSync(held, fixture.config));
  });

  needs("file modes, not Windows", process.platform !== "win32").it(
    "are named when others may read the token",
    async () => {
      chmodSync(fixture.tokenFile, 0o644);
      await mended("token-file");
    },
  );

  it("are named when the token is gone or damaged: it is made anew, and the sidecar started again", async () => {
    rmSync(fixture.tokenFile);
    await mended("token-file");
    writeFileSync(fixture.tokenFile, "two words\n", { mode: 0o600 });
    await mended("token-file");
  });

  it("are named when nothing can be written beside them", async () => {
    await named("storage", () => undefined, { writeFault: () => "EACCES" });
  });

  it("are named when a port is left open to chance", async () => {
    const back = keep(fixture.config);
    fixture.writeConfig(0, ports()[1]);
    await named("public-port", back);
    fixture.writeConfig(ports()[0], 0);
    await named("bridge-port", back);
  });

  it.each([
    ["22.18.0", "update it to 22.23.4 or later"],
    ["22.23.4", undefined],
    ["23.11.0", "a line without fixes: install Node 24"],
    ["24.21.9", "update it to 24.22.1 or later"],
    ["24.22.1", undefined],
    ["26.12.0", "update it to 26.12.1 or later"],
    ["26.13.0", undefined],
    ["27.0.0", undefined],
  ])("get a note where Node %s lacks the fixes of its line", async (nodeVersion, said) => {
    const found = await fixture.doctor({ nodeVersion });
    const { state, what } = found.find(({ id }) => id === "node") ?? {};
    expect([state, what]).toEqual(
      said === undefined ? ["ok", `this is Node ${nodeVersion}`] : ["note", expect.stringContaining(said)],
    );
  });

  it("are named when the disk is full", async () => {
    await named("disk-space", () => undefined, { freeBytes: () => 1024 });
    expect(await fixture.stateOf("disk-space", { freeBytes: () => undefined })).toBe("skipped");
  });

  needs("file modes, not Windows", process.platform !== "win32").it(
    "get notes for secrets that could be guessed or read, which say what makes good ones",
    async () => {
      const back = keep(fixture.config);
      chmodSync(fixture.config, 0o600);
      expect(await fixture.stateOf("config-mode")).toBeUndefined();
      chmodSync(fixture.config, 0o640);
      fixture.edit(fixture.config, text => text.replace(/admin-api-key: .*/, "admin-api-key: x"));
      await fixture.restartSidecar();
      const found = await fixture.doctor();
      const what = (id: string): string | undefined => found.find(each => each.id === id)?.what;
      expect([stateOf(found, "admin-key"), stateOf(found, "config-mode")]).toEqual(["note", "note"]);
      expect(what("admin-key")).toBe(
        `modules.api.admin-api-key could be guessed: have another key made: npm run key -- <name> --write --config "${fixture.config}", then: npm run config -- remove modules.api.admin-api-key --config "${fixture.config}"`,
      );
      expect(what("config-mode")).toContain(
        `(mode 640): as the sidecar's user, chmod 600 "${fixture.config}"`,
      );
      expect(problemsIn(found)).toEqual([]);
      back();
      await fixture.restartSidecar();
    },
  );

  it("get notes for what may be meant so", async () => {
    const back = keep(fixture.config);
    expect(await fixture.stateOf("admin-key")).toBe("ok");
    fixture.edit(fixture.config, text =>
      text
        .replace(/admin-api-key: .*/, 'admin-api-key: ""')
        .replace("    port:", "    cors-origins: [http://example.com]\n    trust-proxy: loopback\n    port:"),
    );
    const behind = await fixture.doctor();
    expect([stateOf(behind, "admin-key"), stateOf(behind, "cors-origins")]).toEqual(["note", "note"]);
    fixture.edit(fixture.config, text =>
      text.replace("http://ex", "https://ex").replace("loopback", "false"),
    );
    await fixture.restartSidecar();
    const proxy = await fixture.find("trust-proxy");
    expect(proxy?.state).toBe("note");
    await follow(fixture, "", proxy?.what.replace(/^.*, until: /, "") ?? "");
    await fixture.restartSidecar();
    expect(await fixture.stateOf("trust-proxy")).toBeUndefined();
    expect(await fixture.problems()).toEqual([]);
    back();
    await fixture.restartSidecar();
  });
});

const ADDRESS = Object.values(networkInterfaces())
  .flatMap(all => all ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

describe("the running sidecar", () => {
  needs("an IPv4 address besides loopback", ADDRESS !== undefined).it(
    "is found by the address that it listens at, whatever names it is called by",
    async () => {
      const back = keep(fixture.config);
      const hosts = `modules:\n  api:\n    hosts: [bridge.example.com]\n    host: ${ADDRESS}`;
      fixture.edit(fixture.config, text => text.replace(/modules:(.|\n)*?host: 127.0.0.1/, hosts));
      await fixture.restartSidecar();
      expect(await fixture.problems()).toEqual([]);
      back();
      await fixture.restartSidecar();
    },
  );

  it("is named when it does not answer to the name that it is to be called by", async () => {
    const refusal = (): Response => Response.json({ error: "host_not_allowed" }, { status: 421 });
    const at = (port: number): { fetch: typeof fetch } => ({
      fetch: (input, init) =>
        new URL(String(input)).port === String(port) ? Promise.resolve(refusal()) : fetch(input, init),
    });
    const [public_, bridge] = ports();
    const why = /a sidecar.s that does not answer to this name \(421\)/;
    for (const [port, id] of [
      [public_, "public-listener"],
      [bridge, "bridge-listener"],
    ] as const) {
      const [problem, ...more] = await fixture.wrong(at(port));
      expect([problem, more]).toEqual([
        expect.objectContaining({ id, what: expect.stringMatching(why) }),
        [],
      ]);
      expect(problem?.mend).toMatch(/^stop the sidecar and start it again/);
    }
  });

  it("is named when it does not run", async () => {
    await fixture.stopSidecar();
    const findings = await fixture.doctor();
    expect([stateOf(findings, "sidecar"), stateOf(findings, "pack-connected")]).toEqual([
      "skipped",
      "skipped",
    ]);
    await mended("sidecar-running");
  });

  it("is named when it listens elsewhere for the web", async () => {
    await startWith(0, ports()[1]);
    await mended("public-listener");
  });

  it("is named when it listens elsewhere for the pack", async () => {
    await startWith(ports()[0], 0);
    await mended("bridge-listener");
  });

  it("is named when its two ports have changed places", async () => {
    const [public_, bridge] = ports();
    await startWith(bridge, public_);
    await mended("public-listener");
  });

  it("is named when it has another token than its files", async () => {
    const token = "another-token-0123456789";
    writeFileSync(fixture.tokenFile, `${token}\n`, { mode: 0o600 });
    writeFileSync(secrets(), JSON.stringify({ "bridge-token": token }));
    expect(JSON.stringify(await fixture.doctor())).not.toContain(token);
    await mended("token-accepted");
  });

  it("is not said to have another token when it does not answer in time", async () => {
    const late: typeof fetch = (input, init) =>
      new Headers(init?.headers).has("Authorization") && String(input).endsWith("/bridge/doctor")
        ? Promise.reject(new DOMException("too late", "TimeoutError"))
        : fetch(input, init);
    expect(await fixture.wrong({ fetch: late })).toEqual([]);
    expect(await fixture.stateOf("token-accepted", { fetch: late })).toBe("skipped");
  });

  it("is named when its clock is another", async () => {
    await named("clock", () => undefined, { now: () => Date.now() + 3_600_000 });
  });

  it("gets the token only where it has been seen to be one", async () => {
    const asked: { url: string; token: string | null }[] = [];
    const recorded: typeof fetch = (input, init) => {
      asked.push({ url: String(input), token: new Headers(init?.headers).get("Authorization") });
      return Promise.resolve(new Response('{"status":"ok"}'));
    };
    expect(await fixture.problems({ fetch: recorded })).toEqual(["bridge-listener"]);
    expect(asked.filter(({ token }) => token !== null)).toEqual([]);
  });
});

describe("an address on another machine", () => {
  const elsewhere = (answer: () => Promise<Response>): { fetch: typeof fetch } => ({
    fetch: (input, init) =>
      String(input).startsWith("https://bridge.example") ? answer() : fetch(input, init),
  });

  it("is asked without the token, and kept by the advice for other things", async () => {
    await fixture.setUp(fixture.command("--bridge-url https://bridge.example/x"));
    const unreachable = elsewhere(() => Promise.reject(new TypeError("no such host")));
    expect(await fixture.problems(unreachable)).toEqual([]);
    expect(await fixture.stateOf("bridge-way", unreachable)).toBe("skipped");
    const right = elsewhere(() => Promise.resolve(Response.json({ error: "unauthorized" }, { status: 401 })));
    expect(await fixture.stateOf("bridge-way", right)).toBe("ok");
    const misnamed = Response.json({ error: "host_not_allowed" }, { status: 421 });
    const [problem] = await fixture.wrong(elsewhere(() => Promise.resolve(misnamed)));
    expect(problem).toMatchObject({
      id: "bridge-way",
      what: expect.stringContaining("does not answer to this name (421)"),
      mend: expect.stringContaining("Host"),
    });
    const wrong = elsewhere(() => Promise.resolve(new Response("hello")));
    expect(await fixture.problems(wrong)).toEqual(["bridge-way"]);
    rmSync(join(fixture.world, "world_behavior_packs.json"));
    await mended("pack-listed", right);
    expect(readFileSync(variables(), "utf8")).toContain("https://bridge.example/x");
    await fixture.setUp(fixture.command("--bridge-url default"));
    expect(await fixture.problems()).toEqual([]);
  });
});

describe("the chest form", () => {
  it("needs the resource pack, and players who take it", async () => {
    const back = keep(fixture.config);
    const setup = `npm run setup -- --server "${fixture.server}" --config "${fixture.config}"`;
    await fixture.setUp(`${setup} --chest-form`);
    fixture.edit(fixture.path("server.properties"), text => text.replace(/^texturepack-required=true/m, ""));
    await fixture.restartSidecar();
    await mended("texturepack-required");
    rmSync(fixture.path("resource_packs/web_bridge"), { recursive: true });
    await mended("resource-pack-installed");
    back();
    await fixture.restartSidecar();
    const noted = await fixture.find("resource-pack-installed");
    expect(noted).toMatchObject({
      state: "note",
      what: expect.stringMatching(/nothing uses it; .+ --no-chest-form takes it out$/),
    });
    await fixture.setUp(`${setup} --no-chest-form`);
    expect(JSON.stringify(await fixture.doctor())).not.toContain("resource-pack");
    expect(await fixture.problems()).toEqual([]);
  });
});

describe("the product", () => {
  it("is named when it was not built", async () => {
    const packs = { behavior: join(fixture.folder, "none"), resource: join(fixture.folder, "none") };
    expect(await fixture.problems({ packs })).toEqual(["product"]);
  });
});
