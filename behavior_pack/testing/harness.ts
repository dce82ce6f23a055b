import type { ActionBody } from "../../shared/actions.ts";
import type { Outcome, PlayerRow } from "../../shared/facts.ts";
import { createPack, type PackDeps } from "../pack.ts";
import type { AllowList, FormEnd, FormView, TextFormView } from "../ports.ts";
import { FakeSidecar } from "./fake-sidecar.ts";

export interface FakePlayer {
  id: string;
  persistentId: string;
  name: string;
  health: number;
  locale?: string;
  /** every read throws */
  broken?: boolean;
  messages: string[];
  forms: { view: FormView; ended: (end: FormEnd) => void }[];
  questions: { view: TextFormView; ended: (end: FormEnd, text: string) => void }[];
  closed: number;
}

/** A pack in a game without Minecraft; every tick takes 50 ms. */
export function playground(
  sidecar = new FakeSidecar(),
  stored = new Map<string, unknown>(),
  options: Pick<PackDeps<FakePlayer>, "gameChat" | "isKnown"> = {},
) {
  const players: FakePlayer[] = [];
  const lines: string[] = [];
  const broadcasts: string[] = [];
  const allowed: string[] = [];
  const kicked: { name: string; reason: string | undefined }[] = [];
  let soon: (() => void)[] = [];
  const state = {
    tick: 1000,
    now: 1_700_000_000_000,
    tickMs: 50,
    listThrows: false,
    addWorks: true,
    hideFor: 0,
    /** ticks until a kicked player has left; undefined: the game rejects kicks */
    kickTicks: 0 as number | undefined,
    /** whether the game reports the leave of kicked players */
    reportsKicks: true,
  };
  const alive = (player: FakePlayer): FakePlayer => {
    if (player.broken) throw new Error("broken");
    return player;
  };
  const allowList: AllowList = {
    names: () => () => [...allowed],
    count: name => () => allowed.filter(each => each === name).length,
    holds: name => () => state.hideFor-- <= 0 && allowed.includes(name),
    lists: name => () => state.hideFor-- > 0 || allowed.includes(name),
    add: name => {
      if (!state.addWorks) throw Object.assign(new Error("no"), { name: "AllowListModificationError" });
      allowed.push(name);
      return () => true;
    },
    remove: name => {
      const at = allowed.indexOf(name);
      if (!state.addWorks || at < 0)
        throw Object.assign(new Error("no"), { name: "AllowListModificationError" });
      allowed.splice(at, 1);
      return () => true;
    },
  };
  const pack = createPack<FakePlayer>({
    clock: { now: () => state.now, tick: () => state.tick },
    random: () => 0.5,
    say: line => lines.push(line),
    soon: callback => soon.push(callback),
    http: sidecar.http,
    players: {
      list: () => (state.listThrows ? undefined : [...players]),
      id: player => player.id,
      refer: player => (player.broken || options.isKnown?.(player) === false ? undefined : ref(player)),
      name: player => (player.broken ? undefined : player.name),
      locale: player => player.locale,
      health: player => alive(player).health,
      tell: (player, text) => alive(player).messages.push(text),
      broadcast: text => broadcasts.push(text),
      kick(player, reason) {
        if (state.kickTicks === undefined)
          throw Object.assign(new Error("no"), { name: "CannotKickPlayerError" });
        kicked.push({ name: player.name, reason });
        leaving.push({ player, at: state.tick + state.kickTicks });
        return () => true;
      },
    },
    store: {
      read: key => stored.get(key),
      write: (key, value) => stored.set(key, value),
    },
    forms: {
      show: (player, view, ended) => player.forms.push({ view, ended }),
      ask: (player, view, ended) => player.questions.push({ view, ended }),
      close: player => {
        player.closed++;
      },
    },
    allowList: () => allowList,
    ...options,
  });

  const leaving: { player: FakePlayer; at: number }[] = [];
  function leave(player: FakePlayer, isReported = true): void {
    players.splice(players.indexOf(player), 1);
    if (isReported) pack.left(player.id);
  }

  async function tick(times = 1): Promise<void> {
    for (let i = 0; i < times; i++) {
      state.tick++;
      state.now += state.tickMs;
      for (const { player, at } of leaving)
        if (at <= state.tick && players.includes(player)) leave(player, state.reportsKicks);
      pack.step();
      const due = soon;
      soon = [];
      for (const callback of due) callback();
      // Lets promises settle, as the game does between ticks.
      for (let round = 0; round < 6; round++) await Promise.resolve();
    }
  }

  function add(name: string, more: Partial<FakePlayer> = {}): FakePlayer {
    const player: FakePlayer = {
      id: `-${name}`,
      persistentId: `p-${name}`,
      name,
      health: 20,
      messages: [],
      forms: [],
      questions: [],
      closed: 0,
      ...more,
    };
    players.push(player);
    return player;
  }

  return {
    pack,
    sidecar,
    players,
    lines,
    broadcasts,
    allowed,
    kicked,
    stored,
    state,
    tick,
    add,
    join(name: string, more: Partial<FakePlayer> = {}): FakePlayer {
      const player = add(name, more);
      pack.joined(player);
      return player;
    },
    leave,
    /** Runs an action; returns its outcome after the given number of ticks, if there is one by then. */
    async act(body: ActionBody, ticks = 3): Promise<Outcome | undefined> {
      const id = sidecar.act(body);
      await tick(ticks);
      return sidecar.outcome(id);
    },
    /** Makes the sidecar forget the session, and lets the pack notice it. */
    async renewSession(ticks = 3): Promise<void> {
      sidecar.session += "+";
      pack.said("Steve", "hi");
      await tick(ticks);
    },
    /** The player's row in the newest snapshot, after the given number of ticks. */
    async rowOf(name = "Steve", ticks = 22): Promise<PlayerRow | undefined> {
      await tick(ticks);
      return sidecar.rows().find(({ player }) => player.name === name);
    },
    async start(): Promise<void> {
      pack.begin();
      await tick(3);
    },
  };
}

/** A game in which the pack has started and these players have joined. */
export async function started(...names: string[]) {
  const game = playground();
  await game.start();
  for (const name of names) game.join(name);
  if (names.length > 0) await game.tick(2);
  return game;
}

/** A game where Steve was online before the script, with the commands. */
export async function withSteve(sidecar = new FakeSidecar(), stored?: Map<string, unknown>) {
  const game = playground(sidecar, stored);
  const steve = game.add("Steve");
  await game.start();
  game.pack.joined(steve);
  return { game, sidecar, steve, commands: game.pack.commands };
}

/** Takes the sidecar offline, and lets the pack notice it. */
export async function away({ sidecar, tick }: ReturnType<typeof playground>, ticks = 10): Promise<void> {
  sidecar.mode = "refuse";
  sidecar.http.cancelAll();
  await tick(ticks);
}

/** Stored values that cannot be read while `failing`: all of them, or the one with the key `only`. */
export class Unreadable extends Map<string, unknown> {
  failing = true;
  only: string | undefined;
  override get(key: string): unknown {
    if (this.failing && key === (this.only ?? key)) throw new Error("not now");
    return super.get(key);
  }
}

/** Key of Steve's record in the world. */
export const STEVE_KEY = "web_bridge:player:p-Steve";

export const ref = ({ id, persistentId, name }: FakePlayer) => ({ id, persistentId, name });

/** The action for a link request. */
export const linkOpen = (request: string, username = "Steve", openForMs = 120_000, browser = "0123abcd") =>
  ({ do: "link-open", request, username, browser, openForMs }) as const;
