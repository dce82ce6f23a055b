import type { Action, ActionBody } from "../../shared/actions.ts";
import {
  type Fact,
  type FactOf,
  fact as factGuard,
  type Outcome,
  type PlayerRow,
} from "../../shared/facts.ts";
import { type Delivery, type HelloAnswer, PATHS } from "../../shared/frames.ts";
import { MAX_BODY_BYTES } from "../../shared/limits.ts";
import { bansFrame, type FactsFrame, factsFrame, type Hello, hello, poll } from "../../shared/requests.ts";
import { utf8Bytes } from "../../shared/text.ts";
import { WIRE_OLDEST, WIRE_VERSION } from "../../shared/version.ts";
import type { Endpoint, HttpAnswer, HttpClient } from "../ports.ts";
import type { SidecarBans } from "./sidecar-bans.ts";

interface Pending {
  path: string;
  body: string;
  resolve(answer: HttpAnswer): void;
  reject(error: unknown): void;
}

/** A sidecar without a network: answers hello and facts immediately, and holds polls. */
export class FakeSidecar {
  mode: "ok" | "refuse" | "silent" = "ok";
  session = "s1";
  refreshMs = 5000;
  linkForm: HelloAnswer["linkForm"] = "buttons";
  links: HelloAnswer["links"] = [];
  refused: Delivery["refused"];
  /** its name for the game server, if it serves several */
  server: string | undefined;
  /** whether it accepts forget requests */
  forgets = true;
  /** its ban list, if it keeps one */
  bans: SidecarBans | undefined;
  hellos: Hello[] = [];
  frames: FactsFrame[] = [];
  facts: Fact[] = [];
  received = 0;
  polls: Pending[] = [];
  unanswered: Pending[] = [];
  queue: Action[] = [];
  answers: ((pending: Pending) => HttpAnswer | undefined)[] = [];
  seq = 0;
  requests = 0;
  cancelled = 0;

  readonly http: HttpClient = {
    tokenHint: "set bridge-token in secrets.json to the sidecar's token",
    open: () => ({ value: this.endpoint }),
    cancelAll: () => {
      this.cancelled++;
      for (const pending of [...this.polls, ...this.unanswered]) pending.reject({ name: "Cancelled" });
      this.polls = [];
      this.unanswered = [];
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

  /** Answers the held poll if there are actions. */
  release(): void {
    const [pending] = this.polls;
    if (pending === undefined || this.queue.length === 0) return;
    this.polls.shift();
    pending.resolve(this.delivery(JSON.parse(pending.body).after));
  }

  outcome(id: string): Outcome | undefined {
    return this.facts.find(fact => fact.is === "outcome" && fact.id === id) as Outcome | undefined;
  }

  of<K extends Fact["is"]>(is: K): FactOf<K>[] {
    return this.facts.filter((fact): fact is FactOf<K> => fact.is === is);
  }

  /** The rows of the last complete snapshot. */
  rows(): PlayerRow[] {
    const parts = this.of("snapshot");
    const last = parts[parts.length - 1];
    return last === undefined ? [] : parts.slice(-last.parts).flatMap(part => part.rows);
  }

  private delivery(after: number): HttpAnswer {
    this.queue = this.queue.filter(action => action.seq > after);
    return ok({ actions: this.queue.slice(0, 64), received: this.received, refused: this.refused });
  }

  private serve(pending: Pending): void {
    if (this.mode === "refuse") pending.reject({ name: "InternalHttpRequestError" });
    else if (this.mode === "silent") this.unanswered.push(pending);
    else {
      const override = this.answers[0]?.(pending);
      if (override !== undefined) this.answers.shift();
      const answer = override ?? this.answer(pending);
      if (answer !== undefined) pending.resolve(answer);
    }
  }

  private answer(pending: Pending): HttpAnswer | undefined {
    const value = JSON.parse(pending.body);
    if (pending.path === PATHS.hello) {
      check(hello(value));
      this.hellos.push(value);
      this.received = Math.max(this.received, value.firstFact - 1);
      const { session, refreshMs, linkForm, links, server, forgets } = this;
      const languages = [{ locale: "de_DE", texts: GERMAN }];
      const versions = { product: "0.1.0", wire: WIRE_VERSION, wireOldest: WIRE_OLDEST };
      const settings = { texts: TEXTS, languages, links, server, forgets, bans: this.bans !== undefined };
      return ok({ ...versions, session, refreshMs, linkForm, ...settings });
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

export const ok = (value: unknown): HttpAnswer => ({ status: 200, body: JSON.stringify(value) });

function check(fault: string | undefined): void {
  if (fault !== undefined) throw new Error(fault);
}

/** Texts sent by the sidecar. */
const TEXTS = {
  "api.link-prompt-title": "Link",
  "api.link-prompt-body": "Browser {browser}?",
  "api.sign-in-prompt-title": "At {site}?",
  "api.sign-in-prompt-body": "{site} for browser {browser}?",
  "api.link-chest-hint": "Green yes, red no",
  "api.link-browser": "browser {browser}",
  "api.link-accept": "Yes",
  "api.link-decline": "No",
  "api.unlinked": "Unlinked",
  "bridge.status-connected": "{url} {world} {sidecar} {pack} {wire}",
  "bridge.status-not-connected": "No: {reason}",
  "bridge.status-reports": "{seconds} s, {facts} facts, {actions} actions, {links} links",
  "bridge.status-refused": "{lines} refused, most from {address}",
  "bridge.status-server": "Server {server}",
  "bridge.link-opening": "Opening",
  "bridge.link-none": "Nothing waits",
  "bridge.unlink-sent": "Ending",
  "bridge.unlink-none": "None",
  "bridge.block-hint": "Hint",
  "bridge.blocked": "Blocked",
  "bridge.unblocked": "Unblocked",
  "bridge.hidden": "Hidden",
  "bridge.shown": "Shown",
  "bridge.forget-title": "Forget?",
  "bridge.forget-body": "All of it?",
  "bridge.forget-accept": "Forget",
  "bridge.forget-decline": "Keep",
  "bridge.forget-asking": "Asking",
  "bridge.forget-failed": "Not now",
  "bridge.forgotten": "Forgotten",
  "bridge.say-title": "Say?",
  "bridge.say-field": "What",
  "bridge.say-send": "Say",
  "bridge.say-empty": "Said nothing",
  "bridge.webchat-is": "Is {mode}",
  "bridge.webchat-set": "Now {mode}",
  "bridge.muted": "Muted {browser}",
  "bridge.unmuted": "Unmuted {browser}",
  "bridge.banned": "Banned",
  "bridge.banned-reason": "because {reason}",
  "bridge.banned-until": "for {days} {hours} {minutes}",
  "bridge.ban-done": "Bans {name}",
  "bridge.ban-failed": "Cannot ban {name}",
  "bridge.ban-unknown": "Nobody is {names}: {command}",
  "bridge.unban-done": "Lifts {name}",
  "bridge.unban-none": "No ban of {name}",
  "bridge.status-bans": "{bans} bans, {pending} pending",
  "bridge.usage": "Expected {usage}",
  "bridge.not-connected": "Away",
  "bridge.players-only": "Players only",
};
const GERMAN = {
  "api.link-accept": "Ja",
  "bridge.link-none": "Nichts wartet",
  "api.unlinked": "Getrennt",
  "bridge.webchat-set": "Jetzt {mode}",
};
