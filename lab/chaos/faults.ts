import type { RedisServer } from "../scale/redis-server.ts";
import type { ChaosGame } from "./game.ts";
import type { Journal } from "./journal.ts";
import type { Fault } from "./plan.ts";
import type { RedisLine } from "./redis-line.ts";
import type { Relay } from "./relay.ts";
import type { Service } from "./service.ts";
import type { Visitor } from "./sockets.ts";

interface Stage {
  journal: Journal;
  relay: Relay;
  services: readonly Service[];
  /** where there are several sidecars: what they share, and the line of each to it */
  redis: RedisServer | undefined;
  lines: readonly RedisLine[];
  /** Settles when one of the sidecars, by its place, is handed facts next, or after a while without any. */
  handed(place: number): Promise<void>;
  game: ChaosGame;
  visitors: readonly Visitor[];
}

const NORMAL_TPS = 20;

const pick = <T>(from: readonly T[], who: number): T | undefined => from[Math.floor(who * from.length)];

/** Does a fault, and takes it back when its time is over; resolves then. */
export async function cause(fault: Fault, stage: Stage, wait: (ms: number) => Promise<void>): Promise<void> {
  const { game, journal, redis, relay, visitors } = stage;
  const tell = (what: string): void => journal.fault(what);
  // A slow machine is not through with the fault before.
  if (fault.is === "end-game" && game.run === undefined) return;
  if ("dealing" in fault) {
    await stage.handed(Math.floor(fault.who * stage.services.length));
    await wait(fault.dealing ?? 0);
  }
  switch (fault.is) {
    case "net": {
      const { is, ...how } = fault.fault;
      tell(`${is} ${JSON.stringify(how)} for ${fault.requests} requests`);
      return relay.spoil(fault.fault, fault.requests);
    }
    case "outage":
      tell(`outage for ${fault.ms} ms`);
      relay.outage(true);
      await wait(fault.ms);
      relay.outage(false);
      return;
    case "end-sidecar": {
      const service = pick(stage.services, fault.who);
      if (!service?.isUp) return;
      tell(`${service.name}: ${fault.signal}, back after ${fault.ms} ms`);
      await service.end(fault.signal);
      await wait(fault.ms);
      return service.start();
    }
    case "freeze-sidecar": {
      const service = pick(stage.services, fault.who);
      tell(`${service?.name}: SIGSTOP for ${fault.ms} ms`);
      service?.freeze(true);
      await wait(fault.ms);
      return service?.freeze(false);
    }
    case "end-redis":
      tell(`Redis: ${fault.how}, back after ${fault.ms} ms`);
      await (fault.how === "stop" ? redis?.shutDown() : redis?.kill());
      await wait(fault.ms);
      return redis?.restart();
    case "pause-redis":
      tell(`Redis: SIGSTOP for ${fault.ms} ms`);
      redis?.pause();
      await wait(fault.ms);
      return redis?.resume();
    case "spoil-line": {
      const line = pick(stage.lines, fault.who);
      tell(`line of ${pick(stage.services, fault.who)?.name} to Redis: ${fault.how} for ${fault.ms} ms`);
      line?.spoil(fault.how);
      await wait(fault.ms);
      return line?.heal();
    }
    case "end-game":
      tell(`game: ${fault.how}, back after ${fault.ms} ms`);
      await game.end(fault.how);
      await wait(fault.ms);
      return game.start();
    case "hang-game":
      tell(`game hangs for ${fault.ms} ms`);
      game.hang(true);
      await wait(fault.ms);
      return game.hang(false);
    case "lag-game":
      tell(`game at ${fault.tps} ticks a second for ${fault.ms} ms`);
      game.lag(fault.tps);
      await wait(fault.ms);
      return game.lag(NORMAL_TPS);
    case "quit": {
      const { players } = game;
      const player = players.find(one => one.form) ?? pick(players, fault.who);
      if (!player) return;
      tell(`${player.name} quits${player.form ? " with the form open" : ""} for ${fault.ms} ms`);
      game.quit(player);
      await wait(fault.ms);
      return game.rejoin(player.name);
    }
    case "drop-socket": {
      const visitor = pick(visitors, fault.who);
      tell(`${visitor?.name} is cut off`);
      return visitor?.drop();
    }
    case "slow-socket": {
      const visitor = pick(visitors, fault.who);
      tell(`${visitor?.name} does not read for ${fault.ms} ms`);
      visitor?.pause(true);
      await wait(fault.ms);
      return visitor?.pause(false);
    }
  }
}
