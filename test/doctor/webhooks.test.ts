import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Finding } from "../../owner/doctor/finding.ts";
import { freePort } from "../deploy/front.ts";
import { Fixture } from "./fixture.ts";
import { follow } from "./mends.ts";

// Own connections: passes on what the doctor asks.

const fixture = new Fixture();
const DISCORD = "https://discord.com/api/webhooks/1/secret-of-discord";
const HOOKS = `webhooks:\n  - url: ${DISCORD}\n    format: discord\n  - url: https://a.example/x\n    format: discord\n`;

beforeAll(async () => {
  await fixture.make();
  await fixture.setUp();
  fixture.edit(fixture.config, text => text + HOOKS);
});
afterAll(() => fixture.remove());

const found = (findings: readonly Finding[]): Finding[] => findings.filter(({ id }) => id === "webhooks");

/** What the doctor says when the sidecar's figures are others; `change` gets the real ones. */
async function doctorWith(change: (figures: string) => string): Promise<Finding[]> {
  const changed: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    return String(input).endsWith("/metrics") ? new Response(change(await answer.text())) : answer;
  };
  const findings = await fixture.doctor({ fetch: changed });
  expect(JSON.stringify(findings)).not.toContain("secret-of-discord");
  return found(findings);
}

describe("webhooks", () => {
  it("are not looked at when the running sidecar knows of none", async () => {
    expect(found(await fixture.doctor())).toEqual([
      {
        id: "webhooks",
        state: "skipped",
        what: "whether webhooks take events: the running sidecar knows of none",
      },
    ]);
  });

  it("are fine as long as they take events", async () => {
    await fixture.restartSidecar();
    expect(found(await fixture.doctor())).toEqual([
      { id: "webhooks", state: "ok", what: "the webhooks take what they are sent" },
    ]);
  });

  /** What is said of the hook at a place in the figures. */
  const failure = (hook: number, origin: string, reason: string): string =>
    `\nweb_bridge_webhook_failure{hook="${hook}",origin="${origin}",reason="${reason}"} 1\n`;

  it("are named when they take none, with the newest reason and with what to do, given up or not", async () => {
    const findings = await doctorWith(
      figures =>
        figures
          .replace(/(webhook_off\{hook="0".*) 0$/m, "$1 1")
          .replace(/(webhook_waiting\{hook="0".*) 0$/m, "$1 12")
          .replace(/(webhook_failing_seconds\{hook="1".*) 0$/m, "$1 185.5") +
        failure(0, "https://discord.com", "status 404") +
        failure(1, "https://a.example", "ENOTFOUND"),
    );
    expect(findings).toEqual([
      {
        id: "webhooks",
        state: "problem",
        what: "webhooks[0] (https://discord.com) has taken nothing for a day (status 404): the sidecar has given it up, and 12 events wait",
        mend: expect.stringMatching(
          /^to take it out: npm run config -- remove webhooks "\[0\]" --config .*, then stop the sidecar and/,
        ),
      },
      {
        id: "webhooks",
        state: "problem",
        what: "webhooks[1] (https://a.example) has taken nothing for 3 min, 0 events wait: ENOTFOUND",
        mend: expect.stringMatching(
          /^bring back what is to answer there, .*; or, to take it out: .* remove webhooks "\[1\]" .*, then/,
        ),
      },
    ]);
    const [first] = findings;
    await follow(fixture, "", first?.state === "problem" ? first.mend.replace("to take it out: ", "") : "");
    expect(readFileSync(fixture.config, "utf8")).toContain(HOOKS.replace(/ {2}- url: .*\n.*\n/, ""));
    fixture.edit(fixture.config, text => text.replace(/webhooks:(.|\n)*$/, HOOKS));
    await fixture.restartSidecar();
  });

  it("are named when one is gone, with why", async () => {
    const reason = "status 404, code 10015: the webhook was deleted in Discord";
    const [found] = await doctorWith(
      figures =>
        figures.replace(/(webhook_(?:off|gone)\{hook="0".*) 0$/gm, "$1 1") +
        failure(0, "https://discord.com", reason),
    );
    expect(found).toMatchObject({
      state: "problem",
      what: `webhooks[0] (https://discord.com) is switched off permanently (${reason}): it no longer exists`,
      mend: expect.stringMatching(
        /^set its new url in webhooks of .*config\.yml, then .*; or, to take it out: /,
      ),
    });
  });

  it("are named from the first failure on, unless they only ask for patience", async () => {
    const failing = (more: string) =>
      doctorWith(figures => figures.replace(/(webhook_failing_seconds\{hook="0".*) 0$/m, "$1 2.5") + more);
    const what = "webhooks[0] (https://discord.com) has taken nothing for 3 s, 0 events wait: ";
    expect(await failing("")).toEqual([
      expect.objectContaining({ state: "problem", what: `${what}the sidecar's log says why` }),
    ]);
    expect(await failing(failure(0, "https://discord.com", "status 429"))).toEqual([
      { id: "webhooks", state: "note", what: `${what}status 429` },
    ]);
  });

  it("are named with what they have refused for good, which is no problem", async () => {
    const told = (web: number, game: number) =>
      doctorWith(figures =>
        figures
          .replace(/(webhook_left_out\{hook="1".*from="web"\}) 0$/m, `$1 ${web}`)
          .replace(/(webhook_left_out\{hook="1".*from="game"\}) 0$/m, `$1 ${game}`),
      );
    const note = (lines: string) => ({
      id: "webhooks",
      state: "note",
      what: `webhooks[1] (https://a.example) has not taken ${lines} since the sidecar's start: left out, as the rest would have waited for it`,
    });
    expect(await told(3, 1)).toEqual([note("3 lines from the web and 1 of the game")]);
    expect(await told(1, 0)).toEqual([note("1 line from the web")]);
    expect(await told(0, 2)).toEqual([note("2 lines of the game")]);
  });

  it("are others than those that run, until the sidecar is started again", async () => {
    fixture.edit(fixture.config, text => text.replace("https://a.example", "https://b.example"));
    expect(found(await fixture.doctor())).toEqual([
      {
        id: "webhooks",
        state: "note",
        what: expect.stringMatching(
          /^the running sidecar has other webhooks than .*config\.yml: stop the sidecar and start it again/,
        ),
      },
    ]);
    fixture.edit(fixture.config, text => text.replace("https://b.example", "https://a.example"));
  });

  it("are named with what the sidecar has really met", async () => {
    const port = await freePort();
    fixture.edit(fixture.config, text =>
      text.replace(
        HOOKS,
        `webhooks: [{url: "http://127.0.0.1:${port}/x", format: discord, allow-private: true}]\n`,
      ),
    );
    await fixture.restartSidecar();
    await fixture.startGame();
    const reason = async () => found(await fixture.doctor())[0];
    await fixture.until(async () => (await reason())?.state === "problem");
    expect(await reason()).toMatchObject({
      what: expect.stringMatching(
        /^webhooks\[0\] \(http:\/\/127\.0\.0\.1:\d+\) has taken nothing for \d+ s, 1 event waits: ECONNREFUSED$/,
      ),
    });
    fixture.edit(fixture.config, text => text.replace(/webhooks: \[.*\n/, HOOKS));
  });

  it("are nothing to speak of where there are none", async () => {
    fixture.edit(fixture.config, text => text.replace(HOOKS, ""));
    expect(found(await fixture.doctor())).toEqual([]);
  });
});
