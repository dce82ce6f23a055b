import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { PATHS } from "../../../shared/frames.ts";
import type { Bench } from "../bench.ts";
import { Live } from "../live.ts";
import { connectPack, post } from "../pack.ts";
import { type SidecarProcess, startSidecarProcess } from "../sidecar.ts";
import { chatLine, chatSocket } from "../sockets.ts";
import { BenchRedis } from "./redis.ts";

const IDLE_MS = 4_000;
const LINES = 40;
const POLLS = 30;
/** How long a poll waits for work until its client leaves. */
const POLL_MS = 40;
const LINKS = 20;
const PAUSE_MS = 60;
const LONGEST_MS = 90_000;

/** What Redis gets to do for a line, a poll and a link, and while nothing happens. */
export const sharedCommands = (count: number): Bench => ({
  name: "shared-commands",
  about: `commands that Redis gets from ${count}: for a line of chat, a poll of the pack and a link`,
  longestMs: LONGEST_MS,
  async run(say) {
    const redis = await BenchRedis.start();
    const sidecars = await redis.sidecars(count);
    const [first, last] = [sidecars[0], sidecars.at(-1)];
    if (first === undefined || last === undefined) throw new Error("there are no sidecars");
    const live = await Live.start(2 * LINKS, first);
    const socket = await chatSocket(last.base);

    say("at rest");
    const idle = await redis.commandsOf(() => sleep(IDLE_MS));
    const idleUsPerMs = await cpuPerMs(redis, () => sleep(IDLE_MS));
    /** Commands for each of some, without those that come anyway. */
    async function each(
      of: number,
      one: (i: number) => Promise<unknown>,
    ): Promise<{ all: number; reads: number }> {
      const begun = performance.now();
      const { all, reads } = await redis.commandsOf(async () => {
        for (let i = 0; i < of; i++) {
          await one(i);
          await sleep(PAUSE_MS);
        }
      });
      const idles = (performance.now() - begun) / IDLE_MS;
      return { all: (all - idles * idle.all) / of, reads: (reads - idles * idle.reads) / of };
    }

    say("lines");
    const gameLine = await each(LINES, i => {
      live.players[0]?.say(`line ${i}.`);
      return once(socket, "message");
    });
    const webLine = await each(LINES, i =>
      live.untilShown(
        () => socket.send(chatLine(`web ${i}.`)),
        () => live.players[0]?.chat.at(-1)?.includes(`web ${i}.`) === true,
      ),
    );
    say("links");
    const link = await each(LINKS, i => linkOne(live, last, i));
    const begun = performance.now();
    const linksUsPerMs = await cpuPerMs(redis, async () => {
      for (let i = LINKS; i < 2 * LINKS; i++) await linkOne(live, last, i);
    });
    const linkUs = ((linksUsPerMs - idleUsPerMs) * (performance.now() - begun)) / LINKS;
    const bytesPerLink = (await redis.bytesOf("{web-bridge}:player:*")) / (2 * LINKS);
    const inHash = (await redis.bytesOf("{web-bridge}:links")) / (2 * LINKS);

    say("polls");
    const poll = await pollCommands(redis);
    const shown = [gameLine.all, webLine.all, poll, link.all].map(value => value.toFixed(1));
    return {
      figure: `${shown[0]} a line of the game, ${shown[1]} of the web, ${shown[2]} a poll, ${shown[3]} a link`,
      target: "measured for the plan",
      ok: true,
      values: {
        gameLine: gameLine.all,
        webLine: webLine.all,
        webReads: webLine.reads / count,
        poll,
        link: link.all,
        linkMicroseconds: linkUs,
        bytesPerLink: bytesPerLink + inHash,
        idlePerSecond: (1_000 * idle.all) / IDLE_MS / count,
      },
    };
  },
});

/** Microseconds of CPU of Redis in a millisecond of what is done. */
async function cpuPerMs(redis: BenchRedis, work: () => Promise<void>): Promise<number> {
  const [before, begun] = [await redis.cpu(), performance.now()];
  await work();
  return ((await redis.cpu()) - before) / (performance.now() - begun);
}

/** Links a browser to a player, who accepts as soon as the form is open. */
async function linkOne(live: Live, { base }: SidecarProcess, i: number): Promise<void> {
  const player = live.players[i];
  if (player === undefined) throw new Error("there is no such player");
  const answer = await fetch(`${base}/initialize`);
  await answer.text();
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  const asked = await fetch(`${base}/link-player`, {
    method: "POST",
    headers: { Cookie: cookie, "Content-Type": "application/json" },
    body: JSON.stringify({ username: player.name }),
  });
  if (asked.status !== 202) throw new Error(`link: ${asked.status} ${await asked.text()}`);
  await asked.text();
  while (player.form === undefined) await live.tick();
  player.answer(0);
  // The answer has reached the sidecar some ticks later.
  for (let ticks = 0; ticks < 4; ticks++) await live.tick();
}

/** Commands of a poll that nothing comes for: of a pack of its own, under a prefix of its own. */
async function pollCommands(redis: BenchRedis): Promise<number> {
  const prefix = "polls";
  const sidecar = await startSidecarProcess(redis.env(prefix));
  const { session } = await connectPack(sidecar.bridge);
  const idle = await redis.commandsOf(() => sleep(IDLE_MS), prefix);
  const begun = performance.now();
  const { all } = await redis.commandsOf(async () => {
    for (let i = 0; i < POLLS; i++)
      await post(
        sidecar.bridge,
        PATHS.poll,
        { session, after: 0 },
        { signal: AbortSignal.timeout(POLL_MS) },
      ).catch(() => sleep(10));
  }, prefix);
  return (all - (idle.all * (performance.now() - begun)) / IDLE_MS) / POLLS;
}
