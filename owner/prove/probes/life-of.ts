import type { Trial } from "../probe.ts";
import { PATHS } from "../probe-host.ts";
import { ask, askRecord, notedSince, numberOf, once, pause, until } from "./say.ts";

const READY = /\[prove\] \{"ready":1\}/;
const CONNECTED = /\[web bridge\] connected to the sidecar at /;
export const CONNECT_MS = 45_000;
/** Within this time a world has been saved once. */
const SAVE_MS = 25_000;
const NAME = "ProveKept";

const value = async (trial: Trial, key: string): Promise<unknown> =>
  (await askRecord(trial, "get", { key })).value;
const set = (trial: Trial, key: string, to?: string): Promise<unknown> =>
  ask(trial, "set", { key, value: to });
const tick = async (trial: Trial): Promise<number> => numberOf((await askRecord(trial, "load")).tick);
const listed = async (trial: Trial): Promise<boolean> =>
  (await askRecord(trial, "list-contains", { name: NAME })).value === true;

/** A request that the service holds, and whether its caller has hung up. */
async function hold(trial: Trial): Promise<() => boolean> {
  const since = trial.host.arrived.length;
  await ask(trial, "send-held", {
    url: trial.host.url + PATHS.answer,
    wish: { waitMs: 60_000 },
    timeout: 60,
  });
  await until(trial, 3_000, () => (trial.host.arrived.length > since ? true : undefined));
  return () =>
    trial.host.arrived
      .slice(since)
      .some(({ path, goneAtMs }) => path === PATHS.answer && goneAtMs !== undefined);
}

export const reloaded = once(async trial => {
  await set(trial, "prove:reload", "kept");
  await ask(trial, "note", { word: "before" });
  const before = await tick(trial);
  const hasGone = await hold(trial);
  const since = trial.console.lines.length;
  trial.console.type("reload");
  const isReady = (await trial.console.line(READY, 15_000, since)) !== undefined;
  if (!isReady) return undefined;
  const gone = (await until(trial, 5_000, () => (hasGone() ? true : undefined))) === true;
  await ask(trial, "wait-ticks", { ticks: 40 });
  const { noted } = await notedSince(trial, 0);
  const connected = (await trial.console.line(CONNECTED, CONNECT_MS, since)) !== undefined;
  return {
    noted,
    gone,
    connected,
    before,
    after: await tick(trial),
    kept: await value(trial, "prove:reload"),
  };
});
export type Reloaded = NonNullable<Awaited<ReturnType<typeof reloaded>>>;

export const stopped = once(async trial => {
  for (const key of ["prove:after", "prove:promise", "prove:shutdown"]) await set(trial, key);
  await set(trial, "prove:before", "stop");
  if (!(await listed(trial))) await ask(trial, "list-add", { name: NAME });
  const before = await tick(trial);
  await hold(trial);
  const [since, begun] = [trial.console.lines.length, trial.now()];
  const again = trial.restart("stop");
  const quit = await trial.console.line(/Quit correctly/, 30_000, since);
  const quitMs = trial.now() - begun;
  await again;
  const startMs = trial.now() - begun - quitMs;
  await set(trial, "prove:early", "early");
  const startedAt = trial.now();
  const lines = trial.console.lines.slice(since);
  const [shutdown, after, promise] = [
    await value(trial, "prove:shutdown"),
    await value(trial, "prove:after"),
    await value(trial, "prove:promise"),
  ];
  const { noted } = await notedSince(trial, 0);
  return {
    hasQuit: quit !== undefined,
    quitMs,
    startMs,
    again: startedAt,
    lines,
    shutdown,
    after,
    promise,
    before,
    tick: await tick(trial),
    noted,
    listed: await listed(trial),
  };
});

export const killed = once(async trial => {
  const { again } = await stopped(trial);
  await pause(trial, Math.max(0, SAVE_MS - (trial.now() - again)));
  await set(trial, "prove:late", "late");
  await trial.restart("kill");
  return {
    kept: await value(trial, "prove:before"),
    early: await value(trial, "prove:early"),
    late: await value(trial, "prove:late"),
    listed: await listed(trial),
  };
});

/** Killed once more, which takes no wait for what is saved. */
export const killedAgain = once(async trial => {
  const hasGone = await hold(trial);
  const since = trial.console.lines.length;
  await trial.restart("kill");
  const gone = hasGone();
  return { gone, connected: (await trial.console.line(CONNECTED, CONNECT_MS, since)) !== undefined };
});
