import { urlOf } from "../../bds/address.ts";
import { configOption, quoted } from "../../cli/commands.ts";
import { note, ok, problem, skipped, type Verdict } from "./finding.ts";
import { configCommand, thenRestart } from "./fixes.ts";
import { ask } from "./http-request.ts";
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
  const { config, token, system } = sidecar;
  if (config.webhooks.length === 0) return [];
  const hooks = readHooks((await ask(`${urlOf(config.bridge)}/metrics`, system, { token })).text);
  if (hooks.length === 0) return skipped("whether webhooks take events: the running sidecar knows of none");
  const findings = hooks.flatMap(hook => checkHook(hook, sidecar) ?? []);
  return findings.length > 0 ? findings : ok("the webhooks take what they are sent");
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
    const text = `set its new url in webhooks of ${configFile}, or take it out; ${then}`;
    return problem(what, { text, command: remove });
  }
  if (figure("off") > 0) {
    const what = `${name} has taken nothing for a day${why}: the sidecar has given it up, and ${wait}`;
    return problem(what, { text: `take it out; ${then}`, command: remove });
  }
  if (failing > 0) {
    const time = failing < MINUTE ? `${Math.ceil(failing)} s` : `${Math.floor(failing / MINUTE)} min`;
    const what = `${name} has taken nothing for ${time}, ${wait}: ${reason ?? "the sidecar's log says why"}`;
    // A receiver that asks to wait is no fault.
    if (reason?.startsWith("status 429")) return note(what);
    const { programs } = system;
    const command = `${programs.hook} --test ${quoted(place)}${configOption(configFile, programs)}`;
    const text = `repair what has to answer there, and what waits is sent; this shows what it answers; to take it out: ${remove}`;
    return problem(what, { text, command });
  }
  if (leftOut === 0) return undefined;
  const lines = leftOut === 1 ? "1 line" : `${leftOut} lines`;
  return note(`${name} has not taken ${lines} since the sidecar's start: left out, so that the rest goes on`);
}
