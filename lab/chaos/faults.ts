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
  // A slow machine is not through with the fault before.
  if (fault.is === "end-game" && stage.game.run === undefined) return;
  if ("dealing" in fault) {
    await stage.handed(Math.floor(fault.who * stage.services.length));
    await wait(fault.dealing ?? 0);
  }
  const deed = deedOf(fault, stage);
  if (deed === undefined) return;
  const [what, begin, end] = deed;
  stage.journal.fault(what);
  await begin();
  if (end === undefined || !("ms" in fault)) return;
  await wait(fault.ms);
  await end();
}

/** What is told of a fault, what does it, and what takes it back; nothing where there is nobody to do it to. */
type Deed = [what: string, begin: () => unknown, end?: () => unknown] | undefined;

function deedOf(fault: Fault, { game, lines, redis, relay, services, visitors }: Stage): Deed {
  const forMs = "ms" in fault ? `for ${fault.ms} ms` : "";
  const back = "ms" in fault ? `back after ${fault.ms} ms` : "";
  const who = "who" in fault ? fault.who : 0;
  const [service, visitor, line] = [pick(services, who), pick(visitors, who), pick(lines, who)];
  const player = game.players.find(one => one.form) ?? pick(game.players, who);
  switch (fault.is) {
    case "net": {
      const { is, ...how } = fault.fault;
      const what = `${is} ${JSON.stringify(how)} for ${fault.requests} requests`;
      return [what, () => relay.spoil(fault.fault, fault.requests)];
    }
    case "outage":
      return [`outage ${forMs}`, () => relay.outage(true), () => relay.outage(false)];
    case "end-sidecar": {
      if (!service?.isUp) return undefined;
      const what = `${service.name}: ${fault.signal}, ${back}`;
      return [what, () => service.end(fault.signal), () => service.start()];
    }
    case "freeze-sidecar": {
      const what = `${service?.name}: SIGSTOP ${forMs}`;
      return [what, () => service?.freeze(true), () => service?.freeze(false)];
    }
    case "end-redis": {
      const end = () => (fault.how === "stop" ? redis?.shutDown() : redis?.kill());
      return [`Redis: ${fault.how}, ${back}`, end, () => redis?.restart()];
    }
    case "pause-redis":
      return [`Redis: SIGSTOP ${forMs}`, () => redis?.pause(), () => redis?.resume()];
    case "spoil-line": {
      const what = `line of ${service?.name} to Redis: ${fault.how} ${forMs}`;
      return [what, () => line?.spoil(fault.how), () => line?.heal()];
    }
    case "end-game":
      return [`game: ${fault.how}, ${back}`, () => game.end(fault.how), () => game.start()];
    case "hang-game":
      return [`game hangs ${forMs}`, () => game.hang(true), () => game.hang(false)];
    case "lag-game": {
      const what = `game at ${fault.tps} ticks a second ${forMs}`;
      return [what, () => game.lag(fault.tps), () => game.lag(NORMAL_TPS)];
    }
    case "quit": {
      if (!player) return undefined;
      const what = `${player.name} quits${player.form ? " with the form open" : ""} ${forMs}`;
      return [what, () => game.quit(player), () => game.rejoin(player.name)];
    }
    case "drop-socket":
      return [`${visitor?.name} is cut off`, () => visitor?.drop()];
    case "slow-socket":
      return [
        `${visitor?.name} does not read ${forMs}`,
        () => visitor?.pause(true),
        () => visitor?.pause(false),
      ];
  }
}
