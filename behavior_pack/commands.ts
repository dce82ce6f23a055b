import type { GameTextKey } from "../shared/texts.ts";
import { PRODUCT_VERSION, WIRE_VERSION } from "../shared/version.ts";
import type { Connection } from "./connection.ts";
import type { FormQueue } from "./form-queue.ts";
import type { Choice } from "./player-stats.ts";
import type { Clock, Players } from "./ports.ts";
import type { Member, Roster } from "./roster.ts";
import type { Texts } from "./texts.ts";

/** Wait before the same player may end their links again, in ticks. */
const UNLINK_TICKS = 20;

/** What whoever gave the command is told. */
export interface Reply {
  done: boolean;
  text: string;
}

interface CommandDeps<P> {
  clock: Clock;
  players: Players<P>;
  roster: Roster<P>;
  texts: Texts;
  forms: FormQueue;
  connection: Connection;
  waiting(): { facts: number; actions: number };
  /** Calls back when everything is allowed again, which it is not in a command. */
  soon(callback: () => void): void;
  unlinked(member: Member<P>): void;
  chosen(member: Member<P>, what: Choice, value: boolean): void;
}

export type Commands<P> = ReturnType<typeof createCommands<P>>;

/** What players can ask of the pack. `player` is undefined for the console and command blocks. */
export function createCommands<P>(deps: CommandDeps<P>) {
  const { clock, players, roster, texts, forms, connection } = deps;
  const unlinkedAt = new WeakMap<Member<P>, number>();

  function ofPlayer(player: P | undefined, answer: (member: Member<P>) => [boolean, GameTextKey]): Reply {
    const id = player === undefined ? undefined : players.id(player);
    const member = id === undefined ? undefined : roster.byId(id);
    const [done, key]: [boolean, GameTextKey] =
      member === undefined ? [false, "bridge.players-only"] : answer(member);
    return { done, text: texts.tell(player && players.locale(player), key) };
  }

  /** A command that needs no connection: the choice belongs to the world. */
  const choose = (what: Choice, value: boolean, key: GameTextKey) => (player: P | undefined) =>
    ofPlayer(player, member => {
      deps.chosen(member, what, value);
      return [true, key];
    });

  return {
    block: choose("blocked", true, "bridge.blocked"),
    unblock: choose("blocked", false, "bridge.unblocked"),
    hide: choose("hidden", true, "bridge.hidden"),
    show: choose("hidden", false, "bridge.shown"),
    status(player: P | undefined): Reply {
      const locale = player && players.locale(player);
      const { url, sidecar, reason, acknowledgedAt } = connection.status();
      const seconds = acknowledgedAt === 0 ? "-" : Math.round((clock.now() - acknowledgedAt) / 1000);
      const values = { url, sidecar, reason, pack: PRODUCT_VERSION, wire: WIRE_VERSION };
      const first = connection.live() ? "bridge.status-connected" : "bridge.status-not-connected";
      const rest = { seconds, ...deps.waiting(), links: forms.size() };
      return {
        done: true,
        text: `${texts.tell(locale, first, values)}\n${texts.tell(locale, "bridge.status-reports", rest)}`,
      };
    },
    link: (player: P | undefined): Reply =>
      ofPlayer(player, ({ ref }) => {
        if (!forms.waits(ref)) return [false, "bridge.link-none"];
        deps.soon(() => forms.moved(ref, 1));
        return [true, "bridge.link-opening"];
      }),
    unlink: (player: P | undefined): Reply =>
      ofPlayer(player, member => {
        if (!connection.live()) return [false, "bridge.not-connected"];
        const tick = clock.tick();
        if (tick - (unlinkedAt.get(member) ?? -UNLINK_TICKS) >= UNLINK_TICKS) {
          unlinkedAt.set(member, tick);
          deps.unlinked(member);
        }
        return [true, "bridge.unlink-sent"];
      }),
  };
}
