import type { Config } from "../../config/settings.ts";
import type { Leadership, Lease } from "../../kernel/storage/ports.ts";
import type { Log } from "../../platform/log.ts";
import { type Hook, type HookDeps, type HookName, keyOfHook, startHook } from "./hook.ts";

/** Limits of the queue for webhooks: events, and milliseconds. */
const QUEUE_LIMITS = { entries: 10_000, forMs: 86_400_000 };

interface WebhooksDeps extends Omit<HookDeps, "log"> {
  leadership: Leadership;
  /** Creates the log of a hook, so that each of many failing ones is logged. */
  logOf(): Log;
  /** Registers a metric with a value for each hook. */
  gauges(
    name: string,
    help: string,
    read: () => Promise<{ labels: HookName & { reason?: string; from?: string }; value: number }[]>,
  ): void;
}

/** Limits of the log: enough for readers and, with webhooks, for their queue. */
export function logBounds({ modules, webhooks }: Pick<Config, "modules" | "webhooks">): typeof QUEUE_LIMITS {
  const { keep, keepFor } = modules.api.events;
  if (webhooks.length === 0) return { entries: keep, forMs: keepFor };
  return { entries: Math.max(keep, QUEUE_LIMITS.entries), forMs: Math.max(keepFor, QUEUE_LIMITS.forMs) };
}

/**
 * Starts sending the events of the feed to every hook, each at its own pace. States of removed hooks are deleted. Once the promise
 * settles, no further event is missed.
 */
export async function startWebhooks(list: Config["webhooks"], deps: WebhooksDeps) {
  const { leadership, feed, gauges, store } = deps;
  const keys = new Set(list.map(({ url }) => keyOfHook(url)));
  let hooks: Hook[] = [];

  async function forgetOthers(lease: Lease | undefined): Promise<void> {
    try {
      await store.keepOnly(keys, lease);
    } catch (error) {
      // It is removed at a later start.
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
    // Events appended while they started have not woken them.
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
  figure("webhook_waiting", "Events queued for a webhook", hook => hook.waiting());
  const failing = "How long a webhook has accepted nothing, 0 while it works";
  figure("webhook_failing_seconds", failing, hook => hook.failingMs() / 1000);
  figure("webhook_off", "1 for a disabled webhook, until the next start or permanently", hook =>
    Number(hook.state() === "off" || hook.state() === "gone"),
  );
  figure("webhook_gone", "1 for a permanently disabled webhook", hook => Number(hook.state() === "gone"));
  const failure = "1 with the latest reason for the failures of a webhook; missing while it works";
  gauges("webhook_failure", failure, async () =>
    hooks.flatMap(hook => {
      const reason = hook.reason();
      return reason === undefined ? [] : [{ labels: { ...hook.name, reason }, value: 1 }];
    }),
  );
  gauges("webhook_left_out", "Events omitted because a webhook rejected them permanently", async () =>
    hooks.flatMap(hook =>
      Object.entries(hook.leftOut()).map(([from, value]) => ({ labels: { ...hook.name, from }, value })),
    ),
  );

  return {
    /** The state of each webhook, if this process is the one that sends. */
    states: () => hooks.map(hook => ({ ...hook.name, state: hook.state(), reason: hook.reason() })),
    /** Ends within a second; events not accepted by then are sent after the next start. */
    stop: await leadership.hold(begin),
  };
}
