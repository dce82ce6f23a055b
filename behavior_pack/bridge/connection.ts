import { type Action, NEGOTIATED_ACTIONS } from "../../shared/actions.ts";
import type { Delivery, HelloAnswer } from "../../shared/frames.ts";
import type { Hello } from "../../shared/requests.ts";
import type { Result } from "../../shared/result.ts";
import { PRODUCT_VERSION, sideToUpdate, WIRE_OLDEST, WIRE_VERSION } from "../../shared/version.ts";
import type { Bans } from "../bans/bans.ts";
import type { PackContext } from "../context.ts";
import type { Endpoint, HttpClient } from "../ports.ts";
import { createTickBudget, POLLS_PER_TICK } from "../tick-budget.ts";
import { type ConnectionStatus, createConnectionStatus } from "./connection-status.ts";
import type { FactQueue } from "./fact-queue.ts";
import {
  afterFailure,
  afterHello,
  type ConnectionState,
  type RequestKind,
  type Session,
  sessionOf,
  waitTicks,
} from "./reconnect.ts";
import { BANS, type Call, createRequests, FACTS, type Failure, HELLO, POLL, readReply } from "./requests.ts";
import { worldId } from "./world-id.ts";

interface ConnectionDeps extends Pick<PackContext<unknown>, "clock" | "store" | "notices"> {
  random(): number;
  http: HttpClient;
  facts: FactQueue;
  bans: Pick<Bans<unknown>, "nextFrame" | "applyAnswer">;
  /** as in hello */
  gameChat: Hello["gameChat"];
  /** as in hello */
  textsId(): Hello["textsId"];
  /** number of the newest link request */
  newestRequest(): number;
  /** The sidecar answered a hello that was sent at wall time `sentAt`, when `newest` was the newest link request. */
  welcomed(answer: HelloAnswer, sentAt: number, newest: number): void;
  /** New actions, in order, from the answer to a request sent at wall time `sentAt`. */
  delivered(actions: Action[], sentAt: number): void;
}

/** Interval between two requests with bans, in ticks: time for the pack to apply one answer. */
const BANS_TICKS = 4;

/** Failures of these in a row after which the console gets a line. */
const BANS_FAILURES = 3;

/** How long all requests have to succeed after a hello for the next failure to count as the first, in ticks. */
const STEADY_TICKS = 20;

export type Connection = ReturnType<typeof createConnection>;

/** The connection to the sidecar: says hello, holds a poll open, sends facts, and starts again after failures. */
export function createConnection(deps: ConnectionDeps) {
  const { clock, facts, http, random } = deps;
  const requests = createRequests(clock, http);
  const report = createConnectionStatus(deps.notices, http.tokenHint);
  const polls = createTickBudget(clock, POLLS_PER_TICK);
  /** name of this run of the script */
  const run = `${clock.now().toString(36)}-${random().toString(36).slice(2, 12)}`;
  /** failures in a row, across sessions */
  const failures: Record<RequestKind, number> = { hello: 0, poll: 0, facts: 0 };
  /** tick of the last answer to a hello; undefined once a later request has failed */
  let welcomedAt: number | undefined;
  // Requests with bans that failed in a row, and the tick from which the next may be sent. They do not end the session.
  let bansFailed = 0;
  let bansAt = 0;
  let state: ConnectionState = { is: "waiting", until: 0, session: undefined };

  function fail(kind: RequestKind, failure: Failure): void {
    const tick = clock.tick();
    if (welcomedAt !== undefined && tick - welcomedAt >= STEADY_TICKS) failures.poll = failures.facts = 0;
    welcomedAt = undefined;
    failures[kind]++;
    const failed = { kind, code: failure.code, failures: failures[kind], tick, random };
    state = afterFailure(state, failed);
    report.failed(kind, failure, failures[kind]);
  }

  /** Calls the sidecar. `use` gets the reply unless `isWanted` is false by then. */
  function post<T>(
    call: Call<T>,
    endpoint: Endpoint,
    message: string,
    isWanted: () => boolean,
    use: (read: Result<T, Failure>) => void,
  ): void {
    requests.post(endpoint, call.path, message, call.timeoutSeconds, reply => {
      if (isWanted()) deps.notices.safely("handling an answer", () => use(readReply(reply, call.guard)));
    });
  }

  /** Calls the sidecar in a session, where one request at a time may be `polling` and one `sending`. */
  function send<T>(
    session: Session,
    busy: "polling" | "sending",
    call: Call<T>,
    message: string,
    use: (read: Result<T, Failure>) => void,
  ): void {
    session[busy] = true;
    const isWanted = (): boolean => sessionOf(state) === session;
    post(call, session.endpoint, message, isWanted, read => {
      session[busy] = false;
      use(read);
    });
  }

  function sayHello(): void {
    const opened = http.open();
    if (opened === undefined) {
      // It is asked again in the next tick.
      report.waiting();
      return;
    }
    if ("fault" in opened) {
      failures.hello++;
      const until = clock.tick() + waitTicks(failures.hello, random);
      state = { is: "waiting", until, session: sessionOf(state) };
      report.unusable(opened.fault);
      return;
    }
    const endpoint = opened.value;
    report.opened(endpoint);
    const sentAt = clock.now();
    const newest = deps.newestRequest();
    const versions = { wire: WIRE_VERSION, wireOldest: WIRE_OLDEST };
    const id = worldId(deps.store, run);
    const hello = {
      product: PRODUCT_VERSION,
      ...versions,
      run,
      firstFact: facts.first(),
      world: id && { id, name: endpoint.world },
      knows: NEGOTIATED_ACTIONS,
      gameChat: deps.gameChat,
      textsId: deps.textsId(),
    };
    state = { is: "greeting", session: sessionOf(state) };
    const isWanted = (): boolean => state.is === "greeting";
    post(HELLO, endpoint, JSON.stringify(hello), isWanted, read => {
      if ("fault" in read) return fail("hello", read.fault);
      const answer = read.value;
      const update = sideToUpdate(versions, answer);
      if (update !== undefined) return fail("hello", { code: "wire_mismatch", why: "wire_mismatch", update });
      failures.hello = 0;
      welcomedAt = clock.tick();
      report.welcomed(answer);
      state = afterHello(state, answer.session, endpoint, clock.tick());
      deps.welcomed(answer, sentAt, newest);
      sendPoll();
    });
  }

  function sendPoll(): void {
    if (state.is !== "live" || state.session.polling || polls.left() <= 0) return;
    polls.spend(1);
    const { session } = state;
    const sentAt = clock.now();
    send(session, "polling", POLL, `{"session":${session.json},"after":${session.after}}`, read => {
      if ("fault" in read) return fail("poll", read.fault);
      failures.poll = 0;
      take(session, read.value, sentAt);
      sendPoll();
    });
  }

  function take(session: Session, { received, actions }: Delivery, sentAt: number): void {
    facts.acknowledge(received);
    if (actions.length === 0) return;
    const fresh = actions.filter(action => action.seq > session.after);
    if (fresh.length > 1) fresh.sort((a, b) => a.seq - b.seq);
    const last = fresh[fresh.length - 1];
    if (last === undefined) return;
    session.after = last.seq;
    deps.delivered(fresh, sentAt);
  }

  /** Sends the facts that are due at wall time `sentAt`, which is now, if that is possible. */
  function flush(sentAt: number): void {
    if (state.is !== "live" || state.session.sending || clock.tick() < state.factsAt) return;
    const batch = facts.take(sentAt);
    if (batch === undefined) return;
    const { session } = state;
    const { json, after } = session;
    const { first, texts } = batch;
    const message = `{"session":${json},"after":${after},"first":${first},"facts":[${texts.join(",")}]}`;
    send(session, "sending", FACTS, message, read => {
      if ("fault" in read) return factsFailed(read.fault, first);
      take(session, read.value, sentAt);
      if (read.value.received < first)
        return fail("facts", { code: "malformed", why: "the facts were not acknowledged" });
      failures.facts = 0;
      const now = clock.now();
      report.acknowledged(now, facts.takeDropped(), read.value.refused);
      syncBans();
      flush(now);
    });
  }

  function factsFailed(failure: Failure, first: number): void {
    if (failure.code !== "invalid_message" && failure.code !== "body_too_large") {
      fail("facts", failure);
      return;
    }
    // If a poll has acknowledged these facts by now, this would drop a different one.
    const kind = facts.first() === first ? facts.refuse() : undefined;
    if (kind !== undefined) report.factRefused(kind, failure.why);
    flush(clock.now());
  }

  /** Alternates with facts, so that bans need no further open request. */
  function syncBans(): void {
    const tick = clock.tick();
    if (state.is !== "live" || state.session.sending || tick < bansAt) return;
    const frame = deps.bans.nextFrame();
    if (frame === undefined) return;
    const { session } = state;
    bansAt = tick + BANS_TICKS;
    send(session, "sending", BANS, JSON.stringify({ session: session.id, ...frame }), read => {
      if ("value" in read) {
        bansFailed = 0;
        deps.bans.applyAnswer(read.value);
      } else {
        bansFailed++;
        bansAt = clock.tick() + waitTicks(bansFailed, random);
        if (bansFailed === BANS_FAILURES) report.bansFailed(read.fault.why);
      }
      flush(clock.now());
    });
  }

  return {
    /** To be called every tick. */
    step(now: number) {
      requests.step(now);
      const tick = clock.tick();
      if (state.is === "live") {
        if (tick >= state.pollAt) sendPoll();
        flush(now);
        syncBans();
      } else if ("until" in state && tick >= state.until) sayHello();
    },
    flush,
    /** True from the answer to a hello until the next one is needed. */
    isLive: (): boolean => state.is === "live",
    status: (): Readonly<ConnectionStatus> => report.status,
    /** Cancels all requests; nothing is sent afterwards. */
    stop() {
      state = { is: "stopped" };
      http.cancelAll();
    },
  };
}
