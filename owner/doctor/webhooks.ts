import { urlOf } from "../../bds/address.ts";
import { configOption, quoted } from "../../cli/commands.ts";
import { note, ok, problem, skipped, type Verdict } from "./finding.ts";
import { commandsOf, configCommand } from "./fixes.ts";
import { answerAt } from "./http-request.ts";
import type { CheckedSidecar, DoctorSystem } from "./target.ts";

/** A figure of a webhook as the sidecar tells it. */
const FIGURE =
  /^web_bridge_webhook_(off|gone|failing_seconds|waiting|left_out|failure)\{hook="(\d+)",origin="([^"]*)"(?:,(?:from|reason)="([^"]*)")?\} (\S+)$/gm;

const MINUTE = 60;

/** A webhook as the running sidecar has it. */
interface Hook {
  figures: Map<string, number>;
  reason: string | undefined;
}

/** The webhooks in what the sidecar answers to `GET /metrics`, by their names. */
function readHooks(text: string): Map<string, Hook> {
  const hooks = new Map<string, Hook>();
  for (const [, figure = "", index = "", origin = "", label, value] of text.matchAll(FIGURE)) {
    const name = nameOf(index, origin);
    const hook = hooks.get(name) ?? { figures: new Map(), reason: undefined };
    if (figure === "failure") hook.reason = value === "1" ? label : hook.reason;
    else hook.figures.set(figure, (hook.figures.get(figure) ?? 0) + Number(value));
    hooks.set(name, hook);
  }
  return hooks;
}

const nameOf = (index: string | number, origin: string): string => `webhooks[${index}] (${origin})`;

/** Whether the webhooks accept what they are sent. */
export async function checkWebhooks(sidecar: CheckedSidecar, system: DoctorSystem): Promise<Verdict[]> {
  const { config, token } = sidecar;
  if (config.webhooks.length === 0) return [];
  const answer = await answerAt(`${urlOf(config.bridge)}/metrics`, system, token);
  const hooks = readHooks(answer?.text ?? "");
  if (hooks.size === 0) return [skipped("whether webhooks take events: the running sidecar knows of none")];
  const findings = [...hooks].flatMap(([name, hook]) => checkHook(name, hook, sidecar, system));
  return findings.length > 0 ? findings : [ok("the webhooks take what they are sent")];
}

function checkHook(
  name: string,
  { figures, reason }: Hook,
  sidecar: CheckedSidecar,
  system: DoctorSystem,
): Verdict[] {
  const [off = 0, gone = 0, failing = 0, waiting = 0, leftOut = 0] = [
    ...["off", "gone", "failing_seconds", "waiting", "left_out"].map(figure => figures.get(figure)),
  ];
  const place = /\[\d+\]/.exec(name)?.[0] ?? "";
  const then = `restart the sidecar after this (${commandsOf(sidecar, system).restart})`;
  const remove = configCommand(sidecar, system, "remove", "webhooks", place);
  const wait = waiting === 1 ? "1 event waits" : `${waiting} events wait`;
  const why = reason === undefined ? "" : ` (${reason})`;
  if (gone > 0) {
    const what = `${name} is switched off permanently${why}: it no longer exists`;
    const text = `set its new url in webhooks of ${sidecar.configFile}, or take it out; ${then}`;
    return [problem(what, { text, command: remove })];
  }
  if (off > 0) {
    const what = `${name} has taken nothing for a day${why}: the sidecar has given it up, and ${wait}`;
    return [problem(what, { text: `take it out; ${then}`, command: remove })];
  }
  if (failing > 0) {
    const time = failing < MINUTE ? `${Math.ceil(failing)} s` : `${Math.floor(failing / MINUTE)} min`;
    const what = `${name} has taken nothing for ${time}, ${wait}: ${reason ?? "the sidecar's log says why"}`;
    // A receiver that asks to wait is no fault.
    if (reason?.startsWith("status 429")) return [note(what)];
    const { hook } = system.programs;
    const command = `${hook} --test ${quoted(place)}${configOption(sidecar.configFile, system.programs)}`;
    const text = `repair what has to answer there, and what waits is sent; this shows what it answers; to take it out: ${remove}`;
    return [problem(what, { text, command })];
  }
  if (leftOut === 0) return [];
  const lines = leftOut === 1 ? "1 line" : `${leftOut} lines`;
  return [
    note(`${name} has not taken ${lines} since the sidecar's start: left out, so that the rest goes on`),
  ];
}
