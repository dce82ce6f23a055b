import { describe, expect, it } from "@jest/globals";
import { freePort } from "../../test/deploy/front.ts";
import { fixtureWithSetup } from "./testing/fixture.ts";
import { type Situation, situation, testSituations } from "./testing/situations.ts";

// Own connections: passes on what the doctor asks.

const fixture = fixtureWithSetup();
const DISCORD = "https://discord.com/api/webhooks/1/secret-of-discord";
const HOOKS = `webhooks:\n  - url: ${DISCORD}\n    format: discord\n  - url: https://a.example/x\n    format: discord\n`;
const hooked = (text: string): string => text + HOOKS;

/** A value for each figure of a hook, and why it fails. */
type Figures = { hook: 0 | 1; reason?: string } & Record<string, number | string>;

/** The sidecar's figures are others. */
const figures = (...all: Figures[]) => ({
  ...{ id: "webhooks", config: hooked },
  system: () => ({
    fetch: (async (input, init) => {
      const answer = await fetch(input, init);
      if (!String(input).endsWith("/metrics")) return answer;
      return new Response(all.reduce(withFigures, await answer.text()));
    }) satisfies typeof fetch,
  }),
});
function withFigures(text: string, { hook, reason, ...values }: Figures): string {
  const origin = hook === 0 ? "https://discord.com" : "https://a.example";
  const labels = `hook="${hook}",origin="${origin}"`;
  const failure = reason && `\nweb_bridge_webhook_failure{${labels},reason="${reason}"} 1\n`;
  const set = (before: string, [name, value]: [string, unknown]): string =>
    before.replace(new RegExp(`^(web_bridge_webhook_${name}\\{${labels}.*) 0$`, "m"), `$1 ${value}`);
  return Object.entries(values).reduce(set, text) + (failure ?? "");
}

const SAYINGS: Situation[] = [
  {
    what: "are fine while they accept events",
    ...figures(),
    says: "ok: the webhooks accept events",
  },
  {
    what: "are named when the sidecar has switched one off",
    ...figures({ hook: 0, off: 1, waiting: 12, reason: "status 404" }),
    says: "webhooks[0] (https://discord.com) has accepted nothing for a day (status 404): the sidecar has switched it off, and 12 events wait",
    fix: /^remove it; restart the sidecar after this .* npm run config -- remove webhooks "\[0\]" --config/,
  },
  {
    what: "are named from the first failure on, with the newest reason",
    ...figures({ hook: 1, failing_seconds: 185.5, reason: "ENOTFOUND" }),
    says: "webhooks[1] (https://a.example) has accepted nothing for 3 min, 0 events wait: ENOTFOUND",
    fix: /to remove the webhook: npm run config -- remove webhooks "\[1\]" .* npm run hook -- --test "\[1\]"/,
  },
  {
    what: "are named when one is gone, with why",
    ...figures({
      hook: 0,
      off: 1,
      gone: 1,
      reason: "status 404, code 10015: the webhook was deleted in Discord",
    }),
    says: "is switched off permanently (status 404, code 10015: the webhook was deleted in Discord): it no longer exists",
    fix: /^set its new url in webhooks of .*config\.yml, or remove it/,
  },
  {
    what: "are no problem where they only ask to wait",
    ...figures({ hook: 0, failing_seconds: 2.5, reason: "status 429" }),
    says: "note: webhooks[0] (https://discord.com) has accepted nothing for 3 s, 0 events wait: status 429",
  },
  {
    what: "are noted with how many messages they have rejected",
    ...figures({ hook: 1, left_out: 3 }),
    says: "note: webhooks[1] (https://a.example) has rejected 3 messages since the sidecar started",
  },
  situation("webhooks", "are not spoken of where there are none", {}),
];

describe("webhooks", () => {
  testSituations(fixture, SAYINGS);

  it("are reported with the error that the sidecar got, and no secret is printed", async () => {
    const url = `http://127.0.0.1:${await freePort()}/secret-of-discord`;
    const hook = `webhooks: [{url: "${url}", format: discord, allow-private: true}]\n`;
    fixture.edit(fixture.config, text => text + hook);
    await fixture.restartSidecar();
    await fixture.startGame();
    const verdictOf = async (): Promise<string> => (await fixture.verdictOf("webhooks")) ?? "";
    await fixture.until(async () => (await verdictOf()).startsWith("problem"));
    expect(await verdictOf()).toMatch(
      /^problem: webhooks\[0\] \(http:\/\/127\.0\.0\.1:\d+\) has accepted nothing for \d+ s, 1 event waits: ECONNREFUSED$/,
    );
    expect(JSON.stringify(await fixture.doctor())).not.toContain("secret-of-discord");
    await fixture.stopGame();
  });
});
