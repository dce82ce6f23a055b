import type { Config } from "../../config/settings.ts";
import type { Leadership, Lease } from "../../kernel/storage/ports.ts";
import type { Log } from "../../platform/log.ts";
import { type Hook, type HookDeps, type HookName, keyOfHook, startHook } from "./hook.ts";

/** What waits for webhooks: so many events, for so many milliseconds. */
const KEPT = { entries: 10_000, forMs: 86_400_000 };

interface WebhooksDeps extends Omit<HookDeps, "log"> {
  leadership: Leadership;
  /** Makes the log of a hook: many that fail at once are each named. */
  logOf(): Log;
  /** Tells a figure of each hook whenever it is asked for. */
  gauges(
    name: string,
    help: string,
    read: () => Promise<{ labels: HookName & { reason?: string; from?: string }; value: number }[]>,
  ): void;
}

/** What the log has to hold: what readers may ask for and, with webhooks, what may wait for these. */
export function logBounds({ modules, webhooks }: Pick<Config, "modules" | "webhooks">): typeof KEPT {
  const { keep, keepFor } = modules.api.events;
  if (webhooks.length === 0) return { entries: keep, forMs: keepFor };
  return { entries: Math.max(keep, KEPT.entries), forMs: Math.max(keepFor, KEPT.forMs) };
}

/**
 * Begins to send the events of the feed to every hook, each in its own time. What was stored of other hooks is forgotten.
 * The promise settles when nothing that happens from then on is missed.
 */
export async function startWebhooks(list: Config["webhooks"], deps: WebhooksDeps) {
  const { leadership, feed, gauges, store } = deps;
  const keys = new Set(list.map(({ url }) => keyOfHook(url)));
  let hooks: Hook[] = [];

  async function forgetOthers(lease: Lease | undefined): Promise<void> {
    try {
      await store.keepOnly(keys, lease);
    } catch (error) {
      // It is forgotten with a later start.
      deps.logOf().error({ error }, "Could not remove a webhook that is no longer configured");
    }
  }

  async function begin(lease: Lease | undefined): Promise<() => Promise<void>> {
    await forgetOthers(lease);
    const begun = await Promise.all(
      list.map((config, index) => startHook(index, config, { ...deps, log: deps.logOf() }, lease)),
    );
    const wake = (): void => {
      for (const hook of begun) hook.wake();
    };
    const unsubscribe = feed.subscribe(wake);
    // What was appended while they began told nobody.
    wake();
    hooks = begun;
    return async () => {
      unsubscribe();
      hooks = [];
      await Promise.all(begun.map(hook => hook.stop()));
    };
  }

  const figure = (name: string, help: string, read: (hook: Hook) => number | Promise<number>): void =>
    gauges(name, help, () =>
      Promise.all(hooks.map(async hook => ({ labels: hook.name, value: await read(hook) }))),
    );
  figure("webhook_waiting", "Events that a webhook has still to be sent", hook => hook.waiting());
  const failing = "For how long a webhook has taken nothing, 0 while it works";
  figure("webhook_failing_seconds", failing, hook => hook.failingMs() / 1000);
  figure("webhook_off", "1 for a webhook that is switched off, until the next start or permanently", hook =>
    Number(hook.state() === "off" || hook.state() === "gone"),
  );
  figure("webhook_gone", "1 for a webhook that was switched off permanently", hook =>
    Number(hook.state() === "gone"),
  );
  const failure = "1 with the newest reason why a webhook takes nothing; nothing of one that works";
  gauges("webhook_failure", failure, async () =>
    hooks.flatMap(hook => {
      const reason = hook.reason();
      return reason === undefined ? [] : [{ labels: { ...hook.name, reason }, value: 1 }];
    }),
  );
  gauges("webhook_left_out", "Events that a webhook has refused for good, which were left out", async () =>
    hooks.flatMap(hook =>
      Object.entries(hook.leftOut()).map(([from, value]) => ({ labels: { ...hook.name, from }, value })),
    ),
  );

  return {
    /** How each webhook is, where this process is the one that sends. */
    states: () => hooks.map(hook => ({ ...hook.name, state: hook.state(), reason: hook.reason() })),
    /** Ends within a second; what was not taken until then is sent after the next start. */
    stop: await leadership.hold(begin),
  };
}
