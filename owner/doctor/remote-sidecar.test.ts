import { rmSync, writeFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { STATUS_PATH } from "../../shared/status.ts";
import type { DoctorSystem } from "./target.ts";
import { fixtureWithSetup, LEVEL } from "./testing/fixture.ts";

// Own connections: passes on what the doctor asks, as the proxy of the other machine does.

const URL = "https://addon.example";
const fixture = fixtureWithSetup("--bridge-url", URL);

/** The sidecar is only reached at its address, and reports other values than its own. */
function remote(more: object = {}): Partial<DoctorSystem> & { tokens: (string | null)[] } {
  const tokens: (string | null)[] = [];
  const { port } = fixture.running.bridgeAddress;
  return {
    tokens,
    fetch: async (input, init) => {
      const url = String(input);
      if (!url.startsWith(URL)) throw new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } });
      tokens.push(new Headers(init?.headers).get("Authorization"));
      const response = await fetch(url.replace(URL, `http://127.0.0.1:${port}`), init);
      if (!url.endsWith(STATUS_PATH)) return response;
      return Response.json({ ...((await response.json()) as object), ...more });
    },
  };
}

it("a sidecar on another machine is checked at its address: token, clock, version and connection", async () => {
  fixture.edit(fixture.config, text => `${text}log.level: warn\n`);
  const world = { id: "w", name: LEVEL };
  const game = { world, connectedAt: Date.now(), reportedAt: Date.now() + 3_600_000 };
  const findings = await fixture.doctor({ ...remote({ game }), processes: fixture.runs() });
  expect(findings.filter(({ state }) => state === "problem" || state === "skipped")).toEqual([]);
  const said = findings.map(({ what }) => what).join("\n");
  expect(said).toContain(`the sidecar runs on another machine, and listens for the add-on at ${URL}`);
  expect(said).toContain("the running sidecar accepts the bridge token");
  expect(said).toContain("the clocks of the sidecar and of this machine agree");
  expect(said).toMatch(/the sidecar runs with version \S+ too/);
  expect(said).toContain("the add-on is connected and reporting");
});

it("a sidecar on another machine to which the running game server has not connected is a problem", async () => {
  expect(await fixture.problems({ ...remote(), processes: fixture.runs() })).toEqual(["pack-connected"]);
});

it("an older version on the other machine is a problem", async () => {
  const [problem] = await fixture.wrong(remote({ version: "0.0.9" }));
  expect([problem?.what, problem?.fix.text]).toEqual([
    expect.stringContaining("the sidecar runs with version 0.0.9"),
    "install the newer version on both machines, and run setup",
  ]);
});

it("another token on the other machine is named, and a token that the game server does not send is not sent", async () => {
  const other = "another-token-0123456789-0123456789";
  fixture.keep();
  writeFileSync(fixture.tokenFile, other);
  const sent = remote();
  expect(await fixture.problems(sent)).toEqual(["bridge-token"]);
  expect(sent.tokens).not.toContain(other);
  await fixture.setUp();
  const [problem] = await fixture.wrong(remote());
  expect([problem?.what, problem?.fix.text]).toEqual([
    `the sidecar at ${URL} has a different token than ${fixture.config}`,
    expect.stringMatching(/^copy its data\/bridge-token into .*data, then run setup$/),
  ]);
  rmSync(fixture.tokenFile);
  fixture.restore();
});
