import type { PlayerRef } from "../shared/actions.ts";
import type { Fact } from "../shared/facts.ts";
import type { GameTextKey } from "../shared/texts.ts";
import { PRODUCT_VERSION, WIRE_VERSION } from "../shared/version.ts";
import { BROWSER_LENGTH, LABEL_LETTERS, NO_BROWSER, WEB_CHAT_MODES } from "../shared/web-chat.ts";
import type { Bans } from "./bans/bans.ts";
import type { Connection } from "./bridge/connection.ts";
import type { FormQueue } from "./linking/form-queue.ts";
import type { Choice } from "./players/player-records.ts";
import type { Member, Roster } from "./players/roster.ts";
import type { Clock, Players } from "./ports.ts";
import type { Texts } from "./texts.ts";

/** Wait before the same player may end their links again, in ticks. */
const UNLINK_TICKS = 20;

/** How long what the sidecar told of refused lines is shown. */
const REFUSED_SECONDS = 60;

/** Characters of a session, a label, or no session. */
const BROWSER = new RegExp(`^(?:[0-9a-f]{8}|[${LABEL_LETTERS}]{8}|-{8})$`);

/** What whoever gave the command is told; nothing yet where the sidecar answers. */
export interface Reply {
  done: boolean;
  text?: string;
}

/** Whether it was done, and what is said to it. */
export type Answer = [done: boolean, key: GameTextKey];

type Values = Record<string, string | number>;

interface CommandDeps<P> {
  clock: Clock;
  players: Players<P>;
  roster: Roster<P>;
  texts: Texts;
  forms: FormQueue;
  connection: Connection;
  bans: Pick<Bans<P>, "ban" | "unban" | "count">;
  waiting(): { facts: number; actions: number };
  /** Calls back when everything is allowed again, which it is not in a command. */
  soon(callback: () => void): void;
  /** `lost`: the fact is for this session only, which ended before it was acknowledged */
  fact(fact: Fact, lost?: () => void): void;
  /** Shows a text to a player, or on the console. */
  tell(player: PlayerRef | undefined, key: GameTextKey): void;
  chosen(member: Member<P>, what: Choice, value: boolean): void;
  /** Asks a player whether to forget them; undefined where the game shows no forms. */
  asks: ((player: PlayerRef) => void) | undefined;
}

export type Commands<P> = ReturnType<typeof createCommands<P>>;

/** What players can ask of the pack. `player` is undefined for the console and command blocks. */
export function createCommands<P>(deps: CommandDeps<P>) {
  const { clock, players, roster, texts, forms, connection, bans } = deps;
  const unlinkedAt = new WeakMap<Member<P>, number>();

  const refer = (player: P | undefined): PlayerRef | undefined => player && players.refer(player);

  const reply = (player: P | undefined, [done, key]: Answer, values?: Values): Reply => ({
    done,
    text: texts.tell(player && players.locale(player), key, values),
  });

  function ofPlayer(player: P | undefined, answer: (member: Member<P>) => Answer): Reply {
    const id = player && players.id(player);
    const member = id === undefined ? undefined : roster.byId(id);
    return reply(player, member === undefined ? [false, "bridge.players-only"] : answer(member));
  }

  /** Asks the sidecar, which answers whoever gave the command; `usage`: how it is written, where it was not. */
  function ask(player: P | undefined, what: Fact | undefined, usage: string): Reply {
    if (what !== undefined && connection.live()) {
      const ref = refer(player);
      deps.fact(what, () => deps.soon(() => deps.tell(ref, "bridge.not-connected")));
      return { done: true };
    }
    return reply(player, [false, connection.live() ? "bridge.usage" : "bridge.not-connected"], { usage });
  }

  /** Who gave a command, as the sidecar is told. */
  function by(player: P | undefined): { by?: PlayerRef } {
    const ref = refer(player);
    return ref ? { by: ref } : {};
  }

  const mute =
    (isMuted: boolean) =>
    (player: P | undefined, written = ""): Reply => {
      const browser = written.toLowerCase();
      const what: Fact | undefined = BROWSER.test(browser)
        ? { is: "mute", ...by(player), browser, isMuted }
        : undefined;
      return ask(player, what, `0123abcd, ${LABEL_LETTERS.slice(0, BROWSER_LENGTH)}, ${NO_BROWSER}`);
    };

  /** A command of operators that needs no connection: bans belong to the world, too. */
  const moderate =
    (what: "ban" | "unban") =>
    (player: P | undefined, ...words: string[]): Reply => {
      const [isDone, key, values] = bans[what](refer(player)?.name, words);
      return reply(player, [isDone, key], values);
    };

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
    forget: (player: P | undefined): Reply =>
      ofPlayer(player, member => {
        deps.asks?.(member.ref);
        return deps.asks ? [true, "bridge.forget-asking"] : [false, "bridge.forget-failed"];
      }),
    status(player: P | undefined): Reply {
      const locale = player && players.locale(player);
      const isLive = connection.live();
      const lines: string[] = [];
      const add = (key: GameTextKey, values: Values): void =>
        void lines.push(texts.tell(locale, key, values));
      const { url, world, sidecar, reason, acknowledgedAt, refused, server } = connection.status();
      const age = Math.round((clock.now() - acknowledgedAt) / 1000);
      const versions = { pack: PRODUCT_VERSION, wire: WIRE_VERSION };
      const first = isLive ? "bridge.status-connected" : "bridge.status-not-connected";
      add(first, { url, world, sidecar, reason, ...versions });
      const seconds = acknowledgedAt === 0 ? "-" : age;
      add("bridge.status-reports", { seconds, ...deps.waiting(), links: forms.size() });
      if (refused && isLive && Math.abs(age) <= REFUSED_SECONDS)
        add("bridge.status-refused", { lines: refused.lines, address: refused.from });
      const kept = bans.count();
      if (kept.bans + kept.untold > 0) add("bridge.status-bans", kept);
      if (server !== undefined && isLive) add("bridge.status-server", { server });
      return { done: true, text: lines.join("\n") };
    },
    link: (player: P | undefined): Reply =>
      ofPlayer(player, member => {
        const { ref } = member;
        if (!forms.waits(ref)) return [false, "bridge.link-none"];
        // Who gives a command can play.
        member.playsAt = clock.tick();
        deps.soon(() => forms.moved(ref, 1));
        return [true, "bridge.link-opening"];
      }),
    unlink: (player: P | undefined): Reply =>
      ofPlayer(player, member => {
        if (!connection.live()) return [false, "bridge.not-connected"];
        const tick = clock.tick();
        if (tick - (unlinkedAt.get(member) ?? -UNLINK_TICKS) >= UNLINK_TICKS) {
          unlinkedAt.set(member, tick);
          deps.fact({ is: "unlinked-by-player", player: member.ref });
        }
        return [true, "bridge.unlink-sent"];
      }),
    /** Sets who may write from the web; without a mode, only asks. */
    webchat(player: P | undefined, written?: string): Reply {
      const mode = WEB_CHAT_MODES.find(one => one === written);
      const what: Fact | undefined =
        mode === undefined && written !== undefined
          ? undefined
          : { is: "webchat", ...by(player), ...(mode && { mode }) };
      return ask(player, what, WEB_CHAT_MODES.join(", "));
    },
    ban: moderate("ban"),
    unban: moderate("unban"),
    mute: mute(true),
    unmute: mute(false),
  };
}
