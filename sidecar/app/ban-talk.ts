import type { PlayerRef } from "../../shared/actions.ts";
import type { BanChange } from "../../shared/bans.ts";
import type { BansAnswer } from "../../shared/frames.ts";
import { BANS_PART } from "../../shared/limits.ts";
import type { BansFrame } from "../../shared/requests.ts";
import * as domain from "../domain/bans.ts";
import { cleanedReason } from "../domain/chat.ts";
import type { Clock, Log, Turn } from "../ports.ts";
import type { Note } from "./audited.ts";
import type { BanCopy } from "./ban-copy.ts";
import type { BanLookUp } from "./ban-look-up.ts";
import type { Game } from "./game.ts";
import type { GameServers } from "./game-servers.ts";
import { storedName } from "./known-players.ts";
import type { Snapshots } from "./snapshots.ts";

/** What a list goes by in which nothing was ever kept. */
const NO_LIST = "none";
const IN_GAME = "game:";

/** A game server, as far as it is told of bans. */
export interface TalkWorld {
  readonly name: string;
  readonly game: Pick<Game, "act">;
  readonly gameServers: Pick<GameServers, "knows">;
  readonly snapshots: Pick<Snapshots, "fresh">;
  /** of changes of this one, into the audit */
  readonly note: Note;
  uuidOf(player: PlayerRef): string;
}

/** What the packs of the game servers tell of bans, and are told. */
export function createBanTalk(deps: {
  clock: Pick<Clock, "now">;
  log: Pick<Log, "warn">;
  copy: BanCopy;
  lookUp: BanLookUp;
  worlds: { first: TalkWorld; all: readonly TalkWorld[] };
}) {
  const { clock, log, copy, lookUp, worlds } = deps;
  /** game servers whose packs are being woken, and whether there is more to tell them since */
  const waking = new Map<string, boolean>();

  /** Has a pack ask for what is new; what it does not hear of it asks for with its next hello. */
  async function wakeOne(world: TalkWorld): Promise<void> {
    const { name, game, gameServers, snapshots } = world;
    const isWoken = waking.has(name);
    waking.set(name, isWoken);
    if (isWoken) return;
    if (snapshots.fresh() && (await gameServers.knows("bans"))) await game.act({ do: "bans" });
    const isMore = waking.get(name);
    waking.delete(name);
    if (isMore) await wakeOne(world);
  }

  /** Has the packs ask that the entries of one game server, `on`, are about, or those of all. */
  function wake(on: string | undefined, but?: TalkWorld): void {
    for (const world of worlds.all)
      if (world !== but && (on === undefined || storedName(world, worlds) === on)) void wakeOne(world);
  }

  function of(world: TalkWorld) {
    const on = storedName(world, worlds);
    const { note } = world;

    function read({ again: _again, everywhere, until, reason, ...change }: BanChange): domain.Ban {
      const said = cleanedReason(reason ?? "");
      const how = {
        ...(until !== undefined && { until: domain.endOf(until) }),
        ...(said && { reason: said }),
      };
      const { name, persistentId, by = `${IN_GAME}Server` } = change;
      const uuid = persistentId === undefined ? undefined : world.uuidOf({ id: "", name, persistentId });
      return {
        ...change,
        ...(!change.lifted && how),
        by,
        ...(uuid !== undefined && { uuid }),
        ...(everywhere ? {} : { on }),
      };
    }

    /** Whom a new decision by name is about, where the service has seen one player of that name. */
    async function known({
      again,
      lifted,
      name,
      persistentId,
    }: BanChange): Promise<domain.Banned | undefined> {
      if (again || lifted || persistentId !== undefined) return undefined;
      const [player, ...others] = await lookUp.named(name);
      return others.length === 0 ? player : undefined;
    }

    async function written(change: domain.Ban): Promise<void> {
      const { by = "", name, lifted, reason } = change;
      const about = { name, ...(reason !== undefined && { reason }) };
      const author = { key: by, address: "game" };
      if (lifted) await note({ action: "ban.remove", ...about }, author, { outcome: "unbanned" });
      else await note({ action: "ban.add", ...about }, author, { outcome: "banned" });
    }

    async function takeUp(changes: readonly BanChange[], turn: Turn): Promise<void> {
      const players = await Promise.all(changes.map(known));
      const { outcomes, isNews } = await copy.change(draft => {
        const now = clock.now();
        const outcomes = changes.map((change, i) => {
          const outcome = domain.taken(draft, read(change), { now, isAgain: change.again === true });
          const player = players[i];
          if (player && outcome === "kept") domain.sight(draft, player, { on, now });
          return outcome;
        });
        return { outcomes, isNews: draft.puts().some(put => put.on !== on) };
      }, turn);
      if (isNews) wake(undefined, world);
      if (outcomes.includes("full"))
        log.warn({}, "a game server has more bans than are kept: the last ones hold there alone");
      for (const [i, change] of changes.entries()) {
        const isNew = outcomes[i] !== "same" && !change.again;
        if (isNew && (change.by ?? IN_GAME).startsWith(IN_GAME)) await written(read(change));
      }
    }

    /** Takes up what a pack tells, and answers what is new to it. What it told is kept and audited by then. */
    return async ({ list, after, changes }: BansFrame, turn: Turn): Promise<BansAnswer> => {
      if (changes.length > 0) await takeUp(changes, turn);
      else await copy.read();
      const head = copy.head() ?? { list: NO_LIST, upTo: 0 };
      // It begins anew, and tells what it has: a storage that was lost, or is of before, has it again.
      if (list !== head.list || after > head.upTo)
        return { list: head.list, upTo: 0, changes: [], more: true };
      const news: BanChange[] = [];
      let upTo = after;
      for (const { n, ban } of copy.list().after(after)) {
        if (news.length === BANS_PART) return { list: head.list, upTo, changes: news, more: true };
        news.push(...domain.told(ban, on));
        upTo = n;
      }
      return { list: head.list, upTo: head.upTo, changes: news, more: false };
    };
  }

  return { wake, of };
}
