import type { PlayerRef } from "../../shared/actions.ts";
import type { Fact } from "../../shared/facts.ts";
import { type Delivery, PATHS } from "../../shared/frames.ts";
import type { FactsFrame } from "../../shared/requests.ts";
import { connectPack, post } from "./pack.ts";

/** Tells a sidecar what a game would, without one. */
export class Teller {
  readonly session: string;
  /** how often the sidecar wants a snapshot, in milliseconds */
  readonly refreshMs: number;
  readonly #ask: <T>(path: string, body: object) => Promise<T>;
  #seq = 1;
  /** of the last action that was taken */
  #after = 0;
  /** settles when what was told before has arrived */
  #before: Promise<unknown> = Promise.resolve();

  private constructor(bridge: string, token: string | undefined, session: string, refreshMs: number) {
    this.#ask = (path, body) => post(bridge, path, body, token === undefined ? {} : { token });
    this.session = session;
    this.refreshMs = refreshMs;
  }

  /** `bridge`: of the sidecar's listener for the pack; `token` and `run`: others than those of the benchmarks */
  static async connect(bridge: string, token?: string, run?: string): Promise<Teller> {
    const { session, refreshMs } = await connectPack(bridge, token, run);
    return new Teller(bridge, token, session, refreshMs);
  }

  /** Settles when the sidecar has all of it, with what it asks for. */
  tell(facts: readonly Fact[]): Promise<Delivery> {
    const told = this.#before.then(() => this.#send(facts));
    this.#before = told;
    return told;
  }

  async #send(facts: readonly Fact[]): Promise<Delivery> {
    const { session } = this;
    const first = this.#seq;
    const frame: FactsFrame = { session, after: this.#after, first, facts: [...facts] };
    const delivery = await this.#ask<Delivery>(PATHS.facts, frame);
    this.#seq = delivery.received + 1;
    const left = facts.slice(this.#seq - first);
    return left.length > 0 ? this.#send(left) : delivery;
  }

  /** Somebody says a text so often in one tick. */
  say(text: string, times: number): Promise<unknown> {
    return this.tell(Array.from({ length: times }, (): Fact => ({ is: "said", name: "Steve", text })));
  }

  /** Says of what is asked for that it is done, at once; `player`: whom a form is shown to. */
  act({ actions }: Delivery, player?: PlayerRef): Promise<Delivery> {
    this.#after = actions.at(-1)?.seq ?? this.#after;
    return this.tell(
      actions.map(({ id, body }): Fact => {
        const shown = body.do === "link-open" && player !== undefined && { player };
        return { is: "outcome", id, do: body.do, status: "done", ...shown };
      }),
    );
  }

  /** Polls until it is refused, and does at once what it is asked for; `did` is told how many lines of chat were among it. */
  async keepPolling(did: (lines: number) => void): Promise<never> {
    for (;;) {
      const asked = { session: this.session, after: this.#after };
      const delivery = await this.#ask<Delivery>(PATHS.poll, asked);
      if (delivery.actions.length === 0) continue;
      did(delivery.actions.filter(({ body }) => body.do === "chat").length);
      await this.act(delivery);
    }
  }
}
