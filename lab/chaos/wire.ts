import type { Action } from "../../shared/actions.ts";
import { type Delivery, PATHS } from "../../shared/frames.ts";
import type { FactsFrame } from "../../shared/requests.ts";
import type { Journal } from "./journal.ts";
import type { Passage } from "./ledger/game-lines.ts";

interface Tracked {
  seq: number;
  passage: Passage;
}

/** What passes between pack and sidecar, as far as the ledger needs it. */
export class Wire {
  readonly #journal: Journal;
  /** stays of lines by their text, and of answers by the id of the request */
  readonly #passages = new Map<string, Passage[]>();
  /** ids of link requests by what the form shows of the browser */
  readonly #requests = new Map<string, string>();
  /** what a session has not acknowledged yet, by its id */
  readonly #open = new Map<string, Tracked[]>();
  readonly #known = new Set<string>();
  /** when an answer with status 200 came last */
  lastAnswerAt = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** How a line went to the sidecar. */
  line(text: string): readonly Passage[] {
    return this.#passages.get(`said ${text}`) ?? [];
  }

  /** How the answer to a browser's request for a link did. */
  answer(browser: string): readonly Passage[] {
    return this.#passages.get(`answered ${this.#requests.get(browser)}`) ?? [];
  }

  /** A request goes to a sidecar process. */
  asked(life: number, path: string, body: string): void {
    if (path !== PATHS.facts) return;
    const { session, first, facts } = JSON.parse(body) as FactsFrame;
    for (const [index, fact] of facts.entries()) {
      const seq = first + index;
      if (fact.is !== "said" && fact.is !== "answered") continue;
      if (this.#known.has(`${session} ${seq}`)) continue;
      this.#known.add(`${session} ${seq}`);
      const passage: Passage = { life, handedAt: this.#journal.now(), ackedAt: undefined };
      const key = fact.is === "said" ? `said ${fact.text}` : `answered ${fact.request}`;
      this.#journal.trace(`handed to ${life}: ${seq} ${key}`);
      this.#passages.set(key, [...(this.#passages.get(key) ?? []), passage]);
      this.#open.set(session, [...(this.#open.get(session) ?? []), { seq, passage }]);
    }
  }

  /** A sidecar process answers. */
  answered(path: string, body: string, status: number, answer: string): void {
    if (status !== 200) this.#journal.trace(`${path} ${status} ${answer}`);
    if (status !== 200) return;
    this.lastAnswerAt = this.#journal.now();
    if (path !== PATHS.poll && path !== PATHS.facts) return;
    const { session } = JSON.parse(body) as { session: string };
    const { actions, received } = JSON.parse(answer) as Delivery;
    for (const action of actions) this.#action(action);
    const open = this.#open.get(session) ?? [];
    for (const { passage, seq } of open) if (seq <= received) passage.ackedAt = this.#journal.now();
    this.#open.set(
      session,
      open.filter(({ seq }) => seq > received),
    );
  }

  #action({ id, body }: Action): void {
    this.#journal.trace(`action ${id} ${JSON.stringify(body)}`);
    if (body.do === "link-open") this.#requests.set(body.browser, body.request);
  }
}
