import { configOption, quoted } from "../../cli/commands.ts";
import { type Finding, note, ok, problem, skipped } from "./finding.ts";
import { configCommand, type Side, type Surroundings } from "./target.ts";

/** A figure of a webhook as the sidecar tells it. */
const FIGURE =
  /^web_bridge_webhook_(off|gone|failing_seconds|waiting)\{hook="(\d+)",origin="([^"]*)"\} (\S+)$/gm;

/** Why one takes nothing. */
const REASON = /^web_bridge_webhook_failure\{hook="(\d+)",origin="([^"]*)",reason="([^"]*)"\} 1$/gm;

/** What was left out, as it would not take it. */
const LEFT_OUT =
  /^web_bridge_webhook_left_out\{hook="(\d+)",origin="([^"]*)",from="(web|game)"\} ([1-9]\d*)$/gm;

const MINUTE = 60;

const counted = (events: number): string => (events === 1 ? "1 event waits" : `${events} events wait`);

const nameOf = (index: number, origin: string): string => `webhooks[${index}] (${origin})`;

/**
 * Whether the webhooks take what they are sent.
 * @param figures what the running sidecar answers to `GET /metrics`; undefined: nothing
 * @param again what starts the sidecar again
 */
export function checkWebhooks(
  side: Side,
  figures: string | undefined,
  again: string,
  around: Surroundings,
): Finding[] {
  const { config, configFile } = side;
  if (config.webhooks.length === 0) return [];
  const hooks = new Map<string, Record<string, number>>();
  for (const [, figure = "", hook, origin = "", value] of (figures ?? "").matchAll(FIGURE)) {
    const name = nameOf(Number(hook), origin);
    hooks.set(name, { ...hooks.get(name), [figure]: Number(value) });
  }
  const reasons = new Map(
    [...(figures ?? "").matchAll(REASON)].map(([, hook, origin = "", reason]) => [
      nameOf(Number(hook), origin),
      reason,
    ]),
  );
  const id = "webhooks";
  if (hooks.size === 0)
    return [skipped(id, "whether webhooks take events: the running sidecar knows of none")];
  const findings = [...hooks].flatMap(
    ([name, { off = 0, gone = 0, failing_seconds: failing = 0, waiting = 0 }]) => {
      const reason = reasons.get(name);
      const place = /\[\d+\]/.exec(name)?.[0] ?? "";
      const away = `to take it out: ${configCommand(side, around, "remove", "webhooks", place)}, then ${again}`;
      const why = reason === undefined ? "" : ` (${reason})`;
      if (gone > 0) {
        const what = `${name} is switched off permanently${why}: it no longer exists`;
        return [
          problem(id, what, `set its new url in webhooks of ${configFile}, then ${again}; or, ${away}`),
        ];
      }
      if (off > 0) {
        const what = `${name} has taken nothing for a day${why}: the sidecar has given it up, and ${counted(waiting)}`;
        return [problem(id, what, away)];
      }
      if (failing === 0) return [];
      const time = failing < MINUTE ? `${Math.ceil(failing)} s` : `${Math.floor(failing / MINUTE)} min`;
      const what = `${name} has taken nothing for ${time}, ${counted(waiting)}: ${reason ?? "the sidecar's log says why"}`;
      // To ask for patience is no fault.
      if (reason?.startsWith("status 429")) return [note(id, what)];
      const tried = `${around.programs.hook} --test ${quoted(place)}${configOption(configFile, around.programs)}`;
      const mend = `bring back what is to answer there, and what waits is sent; to see what it answers: ${tried}; or, ${away}`;
      return [problem(id, what, mend)];
    },
  );
  findings.push(...leftOutOf(figures ?? "").map(what => note(id, what)));
  const configured = config.webhooks.map(({ url }, index) => nameOf(index, new URL(url).origin));
  if (configured.join() !== [...hooks.keys()].join())
    findings.push(note(id, `the running sidecar has other webhooks than ${configFile}: ${again}`));
  return findings.length > 0 ? findings : [ok(id, "the webhooks take what they are sent")];
}

/** What each webhook has refused for good, in words. */
function leftOutOf(figures: string): string[] {
  const out = new Map<string, Record<string, number>>();
  for (const [, hook, origin = "", from = "", count] of figures.matchAll(LEFT_OUT)) {
    const name = nameOf(Number(hook), origin);
    out.set(name, { ...out.get(name), [from]: Number(count) });
  }
  return [...out].map(([name, { web = 0, game = 0 }]) => {
    const lines = `${web || game} ${(web || game) === 1 ? "line" : "lines"}`;
    const both = web > 0 && game > 0 ? ` and ${game} of the game` : "";
    return `${name} has not taken ${lines} ${web > 0 ? "from the web" : "of the game"}${both} since the sidecar's start: left out, as the rest would have waited for it`;
  });
}
