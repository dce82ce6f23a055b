import type { Player } from "../simulator/simulator.ts";

/** Ticks between two hits, and half hearts per hit. */
const BLOW_TICKS = 8;
const BLOW_HEALTH = 5;
/** Range of a hit in blocks, far enough that both players are visible on the map, and speed of an attacker in blocks per tick. */
const REACH = 7;
const RUN = 0.4;
/** Ticks after which a fight ends without a death. */
const MAX_TICKS = 600;

interface Fight {
  readonly victim: Player;
  readonly until: number;
  nextBlow: number;
}

/** Fights: an attacker follows a victim and hits until the victim is dead. An attacker has one fight at a time. */
export class Fights {
  readonly #now: () => number;
  readonly #fights = new Map<Player, Fight>();

  /** `now`: the tick of the world */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** False when the attacker is in a fight already. */
  begin(attacker: Player, victim: Player): boolean {
    if (this.#fights.has(attacker)) return false;
    const now = this.#now();
    this.#fights.set(attacker, { victim, until: now + MAX_TICKS, nextBlow: now });
    return true;
  }

  /** Whether a player attacks or is attacked. */
  includes(player: Player): boolean {
    return this.#fights.has(player) || [...this.#fights.values()].some(({ victim }) => victim === player);
  }

  /** One tick of fighting. */
  act(): void {
    for (const [attacker, fight] of this.#fights) {
      const { victim, until } = fight;
      if (this.#now() > until || !canFight(attacker) || !canFight(victim)) this.#end(attacker, fight);
      else if (!runTo(attacker, victim)) continue;
      else if (this.#now() >= fight.nextBlow) this.#blow(attacker, fight);
    }
  }

  #blow(attacker: Player, fight: Fight): void {
    const { victim } = fight;
    fight.nextBlow = this.#now() + BLOW_TICKS;
    if (victim.health > BLOW_HEALTH) victim.health -= BLOW_HEALTH;
    else {
      victim.die({ by: attacker });
      this.#end(attacker, fight);
    }
  }

  #end(attacker: Player, { victim }: Fight): void {
    this.#fights.delete(attacker);
    for (const player of [attacker, victim]) player.walk(0, 0);
  }
}

const canFight = ({ online, dead }: Player): boolean => online && !dead;

/** Moves towards the other player; true when close enough to hit. */
function runTo(attacker: Player, victim: Player): boolean {
  const [from, to] = [attacker.position, victim.position];
  const [x, z] = [to.x - from.x, to.z - from.z];
  const distance = Math.hypot(x, z);
  victim.walk(0, 0);
  if (distance <= REACH) {
    attacker.walk(0, 0);
    return true;
  }
  attacker.walk((x / distance) * RUN, (z / distance) * RUN);
  return false;
}
