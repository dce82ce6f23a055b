import type { Fact } from "../../shared/facts.ts";
import { type Delivery, PATHS } from "../../shared/frames.ts";
import type { FactsFrame } from "../../shared/requests.ts";
import { connectPack, post } from "./pack.ts";

/** Tells a sidecar what a game would, without one. */
export class Teller {
  readonly #bridge: string;
  readonly #session: string;
  /** how often the sidecar wants a snapshot, in milliseconds */
  readonly refreshMs: number;
  #seq = 1;
  /** of the last action that was taken */
  #after = 0;
  /** settles when what was told before has arrived */
  #before: Promise<unknown> = Promise.resolve();

  private constructor(bridge: string, session: string, refreshMs: number) {
    this.#bridge = bridge;
    this.#session = session;
    this.refreshMs = refreshMs;
  }

  /** `bridge`: of the sidecar's listener for the pack. */
  static async connect(bridge: string): Promise<Teller> {
    const { session, refreshMs } = await connectPack(bridge);
    return new Teller(bridge, session, refreshMs);
  }

  /** Settles when the sidecar has all of it. */
  tell(facts: readonly Fact[]): Promise<unknown> {
    this.#before = this.#before.then(() => {
      const first = this.#seq;
      this.#seq += facts.length;
      const frame: FactsFrame = { session: this.#session, after: this.#after, first, facts: [...facts] };
      return post<Delivery>(this.#bridge, PATHS.facts, frame);
    });
    return this.#before;
  }

  /** Somebody says a text so often in one tick. */
  say(text: string, times: number): Promise<unknown> {
    return this.tell(Array.from({ length: times }, (): Fact => ({ is: "said", name: "Steve", text })));
  }

  /** Polls until it is refused, and does at once what it is asked for; `did` is told how many lines of chat were among it. */
  async keepPolling(did: (lines: number) => void): Promise<never> {
    for (;;) {
      const asked = { session: this.#session, after: this.#after };
      const { actions } = await post<Delivery>(this.#bridge, PATHS.poll, asked);
      this.#after = actions.at(-1)?.seq ?? this.#after;
      if (actions.length === 0) continue;
      did(actions.filter(({ body }) => body.do === "chat").length);
      await this.tell(
        actions.map(({ id, body }): Fact => ({ is: "outcome", id, do: body.do, status: "done" })),
      );
    }
  }
}
