import { type Action, NEGOTIATED_ACTIONS } from "../../shared/actions.ts";
import type { Fact, Outcome, PlayerRow } from "../../shared/facts.ts";
import type { Delivery, HelloAnswer } from "../../shared/frames.ts";
import type { Hello } from "../../shared/requests.ts";
import { PRODUCT_VERSION, WIRE_OLDEST, WIRE_VERSION } from "../../shared/version.ts";

// Own connections: calls the bridge listener, which is not public.

export const TOKEN = "test-token-of-the-bridge-0123456789";

/** A row of the player list with sample figures. */
export function row(name: string, more: Partial<PlayerRow> = {}): PlayerRow {
  const player = { id: `-${name}`, persistentId: `persistent-${name}`, name };
  return { player, health: 20, deaths: 1, playerKills: 2, playtimeSeconds: 3, ...more };
}

export const hello = (run = "run"): Hello => ({
  product: PRODUCT_VERSION,
  wire: WIRE_VERSION,
  wireOldest: WIRE_OLDEST,
  run,
  firstFact: 1,
  knows: [...NEGOTIATED_ACTIONS],
});

export const [STEVE, ALEX] = [row("Steve").player, row("Alex").player];

/** Steve sends a chat message in the game. */
export const said = (text: string): Fact => ({ is: "said", name: "Steve", text, player: STEVE });

export interface Reply<T> {
  status: number;
  body: T;
}

/** Calls the bridge listener as a pack does, one request at a time, each controlled by the test. */
export class FakePack {
  #bridge: () => string;
  readonly #token: string;
  session = "";
  seq = 1;
  after = 0;

  constructor(bridge: string | (() => string), token = TOKEN) {
    this.#bridge = typeof bridge === "string" ? () => bridge : bridge;
    this.#token = token;
  }

  /** Switches to another sidecar. */
  goTo(bridge: string): void {
    this.#bridge = () => bridge;
  }

  async post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<Reply<T>> {
    const response = await fetch(`${this.#bridge()}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: this.#token },
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
    return { status: response.status, body: (await response.json()) as T };
  }

  async connect(run = "run", more: Partial<Hello> = {}): Promise<HelloAnswer> {
    const { status, body } = await this.post<HelloAnswer>("/bridge/hello", { ...hello(run), ...more });
    if (status !== 200) throw new Error(`hello: ${status} ${JSON.stringify(body)}`);
    this.session = body.session;
    this.after = 0;
    return body;
  }

  /** Reports facts; actions in the response are left for the next poll. */
  async report(...facts: Fact[]): Promise<Reply<Delivery>> {
    const frame = { session: this.session, after: this.after, first: this.seq, facts };
    const reply = await this.post<Delivery>("/bridge/facts", frame);
    if (reply.status !== 200) return reply;
    // Like a real pack, it sends facts again that the sidecar had no time for.
    const { received } = reply.body;
    const left = received < this.seq ? [] : facts.slice(received - this.seq + 1);
    this.seq += facts.length - left.length;
    return left.length > 0 ? this.report(...left) : reply;
  }

  /** Reports these players as online. */
  snapshot(...names: string[]): Promise<Reply<Delivery>> {
    return this.report({ is: "snapshot", tps: 20, part: 0, parts: 1, rows: names.map(name => row(name)) });
  }

  /** Waits for actions. */
  async take(): Promise<Action[]> {
    const { status, body } = await this.post<Delivery>("/bridge/poll", {
      session: this.session,
      after: this.after,
    });
    if (status !== 200) throw new Error(`poll: ${status} ${JSON.stringify(body)}`);
    this.after = body.actions.at(-1)?.seq ?? this.after;
    return body.actions;
  }

  /** Waits for one action and reports its outcome. */
  async carryOut(status: Outcome["status"], more: Partial<Outcome> = {}): Promise<Action> {
    const [action] = await this.take();
    if (!action) throw new Error("no action came");
    await this.report({ is: "outcome", id: action.id, do: action.body.do, status, ...more });
    return action;
  }
}
