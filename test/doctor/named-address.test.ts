import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { Fixture } from "./fixture.ts";
import { follow, keep } from "./mends.ts";

const fixture = new Fixture();
const setup = (): string => `npm run setup -- --server "${fixture.server}" --config "${fixture.config}"`;
beforeAll(async () => {
  await fixture.make();
  await fixture.setUp(setup());
});
afterAll(() => fixture.remove());

/** An address that was named with `--bridge-url` and cannot be meant; later runs of setup keep it. */
const WRONG: [string, () => string][] = [
  ["that of the public listener", () => fixture.base],
  ["https at the sidecar's own port", () => `https://127.0.0.1:${fixture.running.bridgeAddress.port}`],
  ["that of a mistyped host", () => `http://locahost.invalid:${fixture.running.bridgeAddress.port}`],
  ["that of another port", () => "http://127.0.0.1:1"],
];

/** Names an address while the sidecar has other ports, so that it could be meant. */
async function name(url: string): Promise<void> {
  const back = keep(fixture.config);
  let port = 1;
  fixture.edit(fixture.config, text => text.replace(/port: \d+/g, () => `port: ${++port}`));
  await fixture.setUp(`${setup()} --bridge-url ${url}`);
  back();
}

it.each(WRONG)("a named address that is %s is mended by any one of the commands", async (_, url) => {
  await name(url());
  const problems = await fixture.wrong();
  expect(problems.map(({ id }) => id)).toContain("bridge-url");
  for (const { what, mend } of problems) {
    await name(url());
    await follow(fixture, what, mend);
    expect(await fixture.problems()).toEqual([]);
  }
});

it("a named address that is right is kept by the advice for other things", async () => {
  const url = `http://localhost:${fixture.running.bridgeAddress.port}`;
  await fixture.setUp(`${setup()} --bridge-url ${url}`);
  fixture.edit(fixture.path("server.properties"), text =>
    text.replace("content-log-console-output-enabled=true", "content-log-console-output-enabled=false"),
  );
  const problem = (await fixture.doctor()).find(({ state }) => state === "problem");
  expect(problem).toMatchObject({ id: "content-log", mend: setup() });
});

it("the names by which alone a listener on loopback is called are noted, unless others are listed", async () => {
  const names = async () => await fixture.find("names");
  const back = keep(fixture.config);
  expect(await names()).toMatchObject({
    state: "note",
    what: expect.stringContaining("by 127.0.0.1 and localhost only"),
  });
  fixture.edit(fixture.config, text =>
    text.replace("    port:", "    hosts: [bridge.example.com]\n    port:"),
  );
  expect(await names()).toBeUndefined();
  back();
});
