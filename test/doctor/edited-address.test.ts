import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import type { Surroundings } from "../../owner/doctor/target.ts";
import { MODULE } from "./breaks.ts";
import { Fixture } from "./fixture.ts";
import { follow } from "./mends.ts";

// Own connections: passes on what the doctor asks.

let fixture: Fixture;
const variables = (): string => fixture.path("config", MODULE, "variables.json");
const url = (): unknown => JSON.parse(readFileSync(variables(), "utf8"))["bridge-url"];
const EDITED = "https://edited.example/x";

beforeEach(async () => {
  fixture = await new Fixture().stand();
  fixture.editJson<object>(variables(), all => ({ ...all, "bridge-url": EDITED }));
});
afterEach(() => fixture.remove());

/** What is at the address that was written by hand. */
const there = (answer: () => Promise<Response>): Partial<Surroundings> => ({
  fetch: (input, init) => (String(input).startsWith(EDITED) ? answer() : fetch(input, init)),
});
const nobody = there(() => Promise.reject(new TypeError("no such host")));
const site = there(() => Promise.resolve(new Response("hello")));
const sidecar = there(() => Promise.resolve(Response.json({ error: "unauthorized" }, { status: 401 })));

const first = async (around: Partial<Surroundings>) => await fixture.wrong(around);

it.each([
  ["nobody answers", nobody],
  ["another program answers", site],
])("an address written by hand where %s gives way to setup's own with the first mend", async (_, around) => {
  const own = `http://127.0.0.1:${fixture.running.bridgeAddress.port}`;
  for (const { id, what, mend } of await first(around)) {
    expect([id, mend]).toEqual([
      expect.stringMatching(/^(allowed-uris|bridge-way)$/),
      expect.not.stringContaining(EDITED),
    ]);
    await follow(fixture, what, mend);
    expect(url()).toBe(own);
  }
  expect(await fixture.problems(around)).toEqual([]);
});

it("one that leads to a sidecar is kept", async () => {
  const [problem, ...more] = await first(sidecar);
  expect([problem?.id, more]).toEqual(["allowed-uris", []]);
  await follow(fixture, "", problem?.mend ?? "");
  expect([url(), await fixture.problems(sidecar)]).toEqual([EDITED, []]);
});

it("one that setup was told goes back to its own where another program answers", async () => {
  await fixture.setUp(fixture.command(`--bridge-url ${EDITED}`));
  const [problem, ...more] = await first(site);
  expect([problem?.id, more]).toEqual(["bridge-way", []]);
  await follow(fixture, "", problem?.mend ?? "");
  expect([url() === EDITED, await fixture.problems(site)]).toEqual([false, []]);
});

it.each(["https://me:hunter2@edited.example", "http://0.0.0.0:PORT"])(
  "%s is given up with one command, and no password is shown",
  async address => {
    const hand = address.replace("PORT", String(fixture.running.bridgeAddress.port));
    fixture.editJson<object>(variables(), all => ({ ...all, "bridge-url": hand }));
    const [problem, ...more] = await first(sidecar);
    expect([problem?.id, more]).toEqual(["bridge-url", []]);
    expect(JSON.stringify(await fixture.doctor(sidecar))).not.toContain("hunter2");
    await follow(fixture, "", problem?.mend ?? "");
    expect(await fixture.problems(sidecar)).toEqual([]);
  },
);
