import type { Fact } from "../shared/facts.ts";
import { type HelloAnswer, PATHS } from "../shared/frames.ts";
import { PRODUCT_VERSION, WIRE_OLDEST, WIRE_VERSION } from "../shared/version.ts";
import { TOKEN } from "./sidecar.ts";

/** Tells a sidecar what a game would, without one. */
export class Teller {
  readonly #bridge: string;
  readonly #session: string;
  #seq = 1;

  private constructor(bridge: string, session: string) {
    this.#bridge = bridge;
    this.#session = session;
  }

  /** `bridge`: of the sidecar's listener for the pack. */
  static async connect(bridge: string): Promise<Teller> {
    const wire = { wire: WIRE_VERSION, wireOldest: WIRE_OLDEST };
    const hello = { product: PRODUCT_VERSION, ...wire, run: "bench", firstFact: 1 };
    const { session } = (await post(bridge + PATHS.hello, hello)) as HelloAnswer;
    return new Teller(bridge, session);
  }

  /** Somebody says a text so often in one tick. */
  async say(text: string, times: number): Promise<void> {
    const facts = Array.from({ length: times }, (): Fact => ({ is: "said", name: "Steve", text }));
    const first = this.#seq;
    this.#seq += facts.length;
    await post(this.#bridge + PATHS.facts, { session: this.#session, after: 0, first, facts });
  }
}

async function post(url: string, body: object): Promise<unknown> {
  const headers = { "Content-Type": "application/json", Authorization: TOKEN };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return response.json();
}
