import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Finding } from "../../doctor/finding.ts";
import { Fixture } from "./fixture.ts";

const fixture = new Fixture();
const DISCORD = "https://discord.com/api/webhooks/1/secret-of-discord";
const HOOKS = `webhooks:\n  - url: ${DISCORD}\n    format: discord\n  - url: https://a.example/x\n    format: discord\n`;

beforeAll(async () => {
  await fixture.make();
  await fixture.setUp(`npm run setup -- --server "${fixture.server}" --config "${fixture.config}"`);
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
    await fixture.stopSidecar();
    await fixture.startSidecar();
    expect(found(await fixture.doctor())).toEqual([
      { id: "webhooks", state: "ok", what: "the webhooks take what they are sent" },
    ]);
  });

  it("are named when they take none, and with what to do when they were given up", async () => {
    const findings = await doctorWith(figures =>
      figures
        .replace(/(webhook_off\{hook="0".*) 0$/m, "$1 1")
        .replace(/(webhook_waiting\{hook="0".*) 0$/m, "$1 12")
        .replace(/(webhook_failing_seconds\{hook="1".*) 0$/m, "$1 185.5"),
    );
    expect(findings).toEqual([
      {
        id: "webhooks",
        state: "problem",
        what: "webhooks[0] (https://discord.com) has taken nothing for a day: the sidecar has given it up, and 12 events wait",
        mend: expect.stringMatching(
          /^correct it in .*config\.yml, or take it out there, then stop the sidecar and/,
        ),
      },
      {
        id: "webhooks",
        state: "note",
        what: "webhooks[1] (https://a.example) has taken nothing for 3 min, 0 events wait: the sidecar's log says why",
      },
    ]);
  });

  it("are named from the first failure on", async () => {
    const [finding] = await doctorWith(figures =>
      figures.replace(/(webhook_failing_seconds\{hook="0".*) 0$/m, "$1 2.5"),
    );
    expect(finding).toEqual({
      id: "webhooks",
      state: "note",
      what: "webhooks[0] (https://discord.com) has taken nothing for 3 s, 0 events wait: the sidecar's log says why",
    });
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

  it("are nothing to speak of where there are none", async () => {
    fixture.edit(fixture.config, text => text.replace(HOOKS, ""));
    expect(found(await fixture.doctor())).toEqual([]);
  });
});
