import { urlOf } from "../../bds/address.ts";
import { configOption, quoted } from "../../cli/commands.ts";
import { note, ok, problem, skipped, type Verdict } from "./finding.ts";
import { configCommand, thenRestart } from "./fixes.ts";
import { sendRequest } from "./http-request.ts";
import type { CheckedSidecar } from "./target.ts";

/** A metric of a webhook. */
const FIGURE =
  /^web_bridge_webhook_(off|gone|failing_seconds|waiting|left_out|failure)\{hook="(\d+)",origin="([^"]*)"(?:,(?:from|reason)="([^"]*)")?\} (\S+)$/gm;

const MINUTE = 60;

interface Hook {
  place: string;
  origin: string;
  figures: Map<string, number>;
  reason: string | undefined;
}

/** The webhooks in the sidecar's metrics. */
function readHooks(text: string): Hook[] {
  const hooks = new Map<string, Hook>();
  for (const [, figure = "", index = "", origin = "", label, value] of text.matchAll(FIGURE)) {
    const place = `[${index}]`;
    const hook = hooks.get(place) ?? { place, origin, figures: new Map(), reason: undefined };
    if (figure === "failure") hook.reason = value === "1" ? label : hook.reason;
    else hook.figures.set(figure, (hook.figures.get(figure) ?? 0) + Number(value));
    hooks.set(place, hook);
  }
  return [...hooks.values()];
}

/** Whether the webhooks accept events. */
export async function checkWebhooks(sidecar: CheckedSidecar): Promise<Verdict | Verdict[]> {
  const { config, token, system, remote } = sidecar;
  if (remote || config.webhooks.length === 0) return [];
  const hooks = readHooks((await sendRequest(`${urlOf(config.bridge)}/metrics`, system, { token })).text);
  if (hooks.length === 0) return skipped("whether webhooks accept events: the running sidecar has none");
  const findings = hooks.flatMap(hook => checkHook(hook, sidecar) ?? []);
  return findings.length > 0 ? findings : ok("the webhooks accept events");
}

function checkHook({ place, origin, figures, reason }: Hook, sidecar: CheckedSidecar): Verdict | undefined {
  const { configFile, system } = sidecar;
  const figure = (name: string): number => figures.get(name) ?? 0;
  const [failing, waiting, leftOut] = [figure("failing_seconds"), figure("waiting"), figure("left_out")];
  const name = `webhooks${place} (${origin})`;
  const then = thenRestart(sidecar);
  const remove = configCommand(sidecar, "remove", "webhooks", place);
  const wait = waiting === 1 ? "1 event waits" : `${waiting} events wait`;
  const why = reason === undefined ? "" : ` (${reason})`;
  if (figure("gone") > 0) {
    const what = `${name} is switched off permanently${why}: it no longer exists`;
    const text = `set its new url in webhooks of ${configFile}, or remove it; ${then}`;
    return problem(what, { text, command: remove });
  }
  if (figure("off") > 0) {
    const what = `${name} has accepted nothing for a day${why}: the sidecar has switched it off, and ${wait}`;
    return problem(what, { text: `remove it; ${then}`, command: remove });
  }
  if (failing > 0) {
    const time = failing < MINUTE ? `${Math.ceil(failing)} s` : `${Math.floor(failing / MINUTE)} min`;
    const what = `${name} has accepted nothing for ${time}, ${wait}: ${reason ?? "the sidecar's log says why"}`;
    // A receiver that requests a wait is not a fault.
    if (reason?.startsWith("status 429")) return note(what);
    const { programs } = system;
    const command = `${programs.hook} --test ${quoted(place)}${configOption(configFile, programs)}`;
    const text = `fix the receiver, and the waiting events are sent; this shows its answer; to remove the webhook: ${remove}`;
    return problem(what, { text, command });
  }
  if (leftOut === 0) return undefined;
  const lines = leftOut === 1 ? "1 message" : `${leftOut} messages`;
  return note(`${name} has rejected ${lines} since the sidecar started: they were skipped`);
}
