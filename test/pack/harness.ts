import { createPack } from "../../behavior_pack/pack.ts";
import type { AllowList, Answer, Bridge, Endpoint, FormEnd, FormView } from "../../behavior_pack/ports.ts";
import type { Action, ActionBody } from "../../shared/actions.ts";
import { type Fact, fact as factGuard, type Outcome, type PlayerRow } from "../../shared/facts.ts";
import { type Delivery, type HelloAnswer, PATHS } from "../../shared/frames.ts";
import { MAX_BODY_BYTES } from "../../shared/limits.ts";
import { bansFrame, type FactsFrame, factsFrame, type Hello, hello, poll } from "../../shared/requests.ts";
import { utf8Bytes } from "../../shared/text.ts";
import { WIRE_OLDEST, WIRE_VERSION } from "../../shared/version.ts";
import type { SidecarBans } from "./sidecar-bans.ts";
import { GERMAN, TEXTS } from "./sidecar-texts.ts";

export interface FakePlayer {
  id: string;
  persistentId: string;
  name: string;
  health: number;
  locale?: string;
  /** every read throws */
  broken?: boolean;
  heard: string[];
  forms: { view: FormView; ended: (end: FormEnd) => void }[];
  closed: number;
}

interface Pending {
  path: string;
  body: string;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** A sidecar without a network: answers hello and facts at once, holds polls. */
export class FakeSidecar {
  mode: "ok" | "refuse" | "silent" = "ok";
  session = "s1";
  refreshMs = 5000;
  linkForm: HelloAnswer["linkForm"] = "buttons";
  links: HelloAnswer["links"] = [];
  refused: Delivery["refused"];
  /** what it calls the game server, where it is for several */
  server: string | undefined;
  /** whether it wants to hear of players who want to be forgotten */
  forgets = true;
  /** the list of bans that it keeps, if it does */
  bans: SidecarBans | undefined;
  hellos: Hello[] = [];
  frames: FactsFrame[] = [];
  facts: Fact[] = [];
  received = 0;
  polls: Pending[] = [];
  held: Pending[] = [];
  queue: Action[] = [];
  answers: ((pending: Pending) => Answer | undefined)[] = [];
  seq = 0;
  requests = 0;
  cancelled = 0;

  readonly bridge: Bridge = {
    open: () => ({ value: this.endpoint }),
    cancelAll: () => {
      this.cancelled++;
      for (const pending of [...this.polls, ...this.held]) pending.reject({ name: "Cancelled" });
      this.polls = [];
      this.held = [];
    },
  };

  readonly endpoint: { -readonly [K in keyof Endpoint]: Endpoint[K] } = {
    url: "http://sidecar",
    world: "Old World",
    post: (path, body) =>
      new Promise((resolve, reject) => {
        this.requests++;
        if (body.length === 0 || utf8Bytes(body) > MAX_BODY_BYTES)
          throw new Error(`bad body of ${body.length}`);
        this.serve({ path, body, resolve, reject });
      }),
  };

  act(body: ActionBody, expiresInMs = 10_000): string {
    this.seq++;
    const id = `a${this.seq}`;
    this.queue.push({ seq: this.seq, id, expiresInMs, body });
    this.release();
    return id;
  }

  /** Answers the poll that is held, if there is something for it. */
  release(): void {
    const [pending] = this.polls;
    if (pending === undefined || this.queue.length === 0) return;
    this.polls.shift();
    pending.resolve(this.delivery(JSON.parse(pending.body).after));
  }

  outcome(id: string): Outcome | undefined {
    return this.facts.find(fact => fact.is === "outcome" && fact.id === id) as Outcome | undefined;
  }

  of<K extends Fact["is"]>(is: K): Extract<Fact, { is: K }>[] {
    return this.facts.filter((fact): fact is Extract<Fact, { is: K }> => fact.is === is);
  }

  /** The rows of the last whole snapshot. */
  rows(): PlayerRow[] {
    const parts = this.of("snapshot");
    const last = parts[parts.length - 1];
    return last === undefined ? [] : parts.slice(-last.parts).flatMap(part => part.rows);
  }

  private delivery(after: number): Answer {
    this.queue = this.queue.filter(action => action.seq > after);
    return ok({ actions: this.queue.slice(0, 64), received: this.received, refused: this.refused });
  }

  private serve(pending: Pending): void {
    if (this.mode === "refuse") pending.reject({ name: "InternalHttpRequestError" });
    else if (this.mode === "silent") this.held.push(pending);
    else {
      const own = this.answers[0]?.(pending);
      if (own !== undefined) this.answers.shift();
      const answer = own ?? this.answer(pending);
      if (answer !== undefined) pending.resolve(answer);
    }
  }

  private answer(pending: Pending): Answer | undefined {
    const value = JSON.parse(pending.body);
    if (pending.path === PATHS.hello) {
      check(hello(value));
      this.hellos.push(value);
      this.received = Math.max(this.received, value.firstFact - 1);
      const { session, refreshMs, linkForm, links, server, forgets } = this;
      const languages = [{ locale: "de_DE", texts: GERMAN }];
      const versions = { product: "0.1.0", wire: WIRE_VERSION, wireOldest: WIRE_OLDEST };
      const told = { texts: TEXTS, languages, links, server, forgets, bans: this.bans !== undefined };
      return ok({ ...versions, session, refreshMs, linkForm, ...told });
    }
    if (value.session !== this.session) return { status: 409, body: '{"error":"unknown_session"}' };
    if (pending.path === PATHS.poll) {
      check(poll(value));
      this.polls.push(pending);
      this.release();
      return undefined;
    }
    if (pending.path === PATHS.bans) {
      check(bansFrame(value));
      return ok(this.bans?.answer(value));
    }
    check(factsFrame(value));
    this.take(value);
    return this.delivery(value.after);
  }

  private take(frame: FactsFrame): void {
    this.frames.push(frame);
    frame.facts.forEach((fact, at) => {
      check(factGuard(fact));
      const seq = frame.first + at;
      if (seq > this.received + 1) throw new Error(`gap before fact ${seq}`);
      if (seq !== this.received + 1) return;
      this.received = seq;
      this.facts.push(fact);
    });
  }
}

export const ok = (value: unknown): Answer => ({ status: 200, body: JSON.stringify(value) });

function check(fault: string | undefined): void {
  if (fault !== undefined) throw new Error(fault);
}

/** A pack in a game without Minecraft; every tick takes 50 ms. */
export function playground(sidecar = new FakeSidecar(), stored = new Map<string, unknown>()) {
  const players: FakePlayer[] = [];
  const lines: string[] = [];
  const shown: string[] = [];
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
    /** ticks until a player who is sent away is gone; undefined: the game refuses */
    kickTicks: 0 as number | undefined,
    /** whether the game tells of those who are sent away */
    kickTells: true,
  };
  const alive = (player: FakePlayer): FakePlayer => {
    if (player.broken) throw new Error("broken");
    return player;
  };
  const allowList: AllowList = {
    names: () => [...allowed],
    holds: name => state.hideFor-- <= 0 && allowed.includes(name),
    lists: name => state.hideFor-- > 0 || allowed.includes(name),
    add: name => {
      if (!state.addWorks) throw Object.assign(new Error("no"), { name: "AllowListModificationError" });
      allowed.push(name);
    },
    remove: name => {
      const at = allowed.indexOf(name);
      if (!state.addWorks || at < 0)
        throw Object.assign(new Error("no"), { name: "AllowListModificationError" });
      allowed.splice(at, 1);
    },
  };
  const pack = createPack<FakePlayer>({
    clock: { now: () => state.now, tick: () => state.tick },
    random: () => 0.5,
    say: line => lines.push(line),
    soon: callback => soon.push(callback),
    bridge: sidecar.bridge,
    players: {
      list: () => (state.listThrows ? undefined : [...players]),
      id: player => player.id,
      refer: player => (player.broken ? undefined : ref(player)),
      locale: player => player.locale,
      health: player => alive(player).health,
      tell: (player, text) => alive(player).heard.push(text),
      broadcast: text => shown.push(text),
      kick(player, reason) {
        if (state.kickTicks === undefined)
          throw Object.assign(new Error("no"), { name: "CannotKickPlayerError" });
        kicked.push({ name: player.name, reason });
        leaving.push({ player, at: state.tick + state.kickTicks });
      },
    },
    store: {
      read: key => stored.get(key),
      write: (key, value) => stored.set(key, value),
    },
    forms: {
      show: (player, view, ended) => player.forms.push({ view, ended }),
      close: player => {
        player.closed++;
      },
    },
    allowList: () => allowList,
  });

  const leaving: { player: FakePlayer; at: number }[] = [];
  function leave(player: FakePlayer, isTold = true): void {
    players.splice(players.indexOf(player), 1);
    if (isTold) pack.left(player.id);
  }

  async function tick(times = 1): Promise<void> {
    for (let i = 0; i < times; i++) {
      state.tick++;
      state.now += state.tickMs;
      for (const { player, at } of leaving)
        if (at <= state.tick && players.includes(player)) leave(player, state.kickTells);
      pack.step();
      const due = soon;
      soon = [];
      for (const callback of due) callback();
      // Lets promises settle, as the game does between ticks.
      for (let turn = 0; turn < 6; turn++) await Promise.resolve();
    }
  }

  function add(name: string, more: Partial<FakePlayer> = {}): FakePlayer {
    const player: FakePlayer = {
      id: `-${name}`,
      persistentId: `p-${name}`,
      name,
      health: 20,
      heard: [],
      forms: [],
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
    shown,
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
    async start(): Promise<void> {
      pack.begin();
      await tick(3);
    },
  };
}

/** A game in which the pack has begun, and these players have joined. */
export async function started(...names: string[]) {
  const game = playground();
  await game.start();
  for (const name of names) game.join(name);
  if (names.length > 0) await game.tick(2);
  return game;
}

/** The same with Steve, and what players may command. */
export async function withSteve(sidecar?: FakeSidecar, stored?: Map<string, unknown>) {
  const game = playground(sidecar, stored);
  const steve = game.add("Steve");
  await game.start();
  game.pack.joined(steve);
  return { game, sidecar: game.sidecar, steve, commands: game.pack.commands };
}

/** The sidecar goes away, and the pack knows. */
export async function away({ sidecar, tick }: ReturnType<typeof playground>, ticks = 10): Promise<void> {
  sidecar.mode = "refuse";
  sidecar.bridge.cancelAll();
  await tick(ticks);
}

/** What a world has stored, of which a key, or nothing at all, can be read as long as a test says so. */
export class Unreadable extends Map<string, unknown> {
  failing = true;
  only: string | undefined;
  override get(key: string): unknown {
    if (this.failing && key === (this.only ?? key)) throw new Error("not now");
    return super.get(key);
  }
}

export const ref = ({ id, persistentId, name }: FakePlayer) => ({ id, persistentId, name });

/** A request to be linked that the sidecar asks. */
export const linkOpen = (request: string, username = "Steve", openForMs = 120_000, browser = "0123abcd") =>
  ({ do: "link-open", request, username, browser, openForMs }) as const;
