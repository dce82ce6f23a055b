import { type Action, ASKED_BY_NAME } from "../../shared/actions.ts";
import type { Delivery, HelloAnswer } from "../../shared/frames.ts";
import type { Result } from "../../shared/result.ts";
import { PRODUCT_VERSION, sideToUpdate, WIRE_OLDEST, WIRE_VERSION } from "../../shared/version.ts";
import { waitTicks } from "../backoff.ts";
import type { Bans } from "../bans/bans.ts";
import { BANS, type Call, FACTS, type Failure, HELLO, POLL, readReply } from "../calls.ts";
import type { Notices } from "../notices.ts";
import type { Bridge, Clock, Endpoint } from "../ports.ts";
import { createTickBudget } from "../tick-budget.ts";
import { type ConnectionStatus, createConnectionReport } from "./connection-status.ts";
import type { FactQueue } from "./fact-queue.ts";
import {
  afterFailure,
  afterHello,
  type ConnectionState,
  type RequestKind,
  type Session,
  sessionOf,
} from "./reconnect.ts";
import type { Requests } from "./requests.ts";

interface ConnectionDeps {
  clock: Clock;
  random: () => number;
  bridge: Bridge;
  requests: Requests;
  facts: FactQueue;
  notices: Notices;
  bans: Pick<Bans<unknown>, "ask" | "answered">;
  /** name of this run of the script */
  run: string;
  /** what tells this world from others; undefined where the world cannot keep it */
  world(): string | undefined;
  /** a number that tells later which link requests came before this moment */
  mark(): number;
  /** The sidecar answered a hello that was sent at wall time `sentAt` and at `mark`. */
  welcomed(answer: HelloAnswer, sentAt: number, mark: number): void;
  /** New actions, in order, from the answer to a request sent at wall time `sentAt`. */
  delivered(actions: Action[], sentAt: number): void;
}

// Answers take at least a tick to come; this holds even if the game should deliver one at once.
const POLLS_PER_TICK = 4;

/** Between the beginnings of two requests with bans, in ticks: what comes of one is spread over them. */
const BANS_TICKS = 4;

/** Failures of these in a row of which the console tells. */
const BANS_FAILURES = 3;

/** How long nothing may fail after the answer to a hello for what fails then to be the first failure, in ticks. */
const STEADY_TICKS = 20;

export type Connection = ReturnType<typeof createConnection>;

/** The connection to the sidecar: says hello, holds a poll open, sends facts, and starts again after failures. */
export function createConnection(deps: ConnectionDeps) {
  const { clock, requests, facts, random } = deps;
  const report = createConnectionReport(deps.notices);
  const polls = createTickBudget(clock, POLLS_PER_TICK);
  /** in a row, whatever the session */
  const failures: Record<RequestKind, number> = { hello: 0, poll: 0, facts: 0 };
  /** tick of the last answer to a hello; undefined once something has failed after it */
  let welcomedAt: number | undefined;
  // Requests with bans that failed in a row, and the tick from which another may be sent. No session ends with them.
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

  /** Calls the sidecar. `use` gets what came of it, unless `open` says that it is of no interest any more. */
  function post<T>(
    call: Call<T>,
    endpoint: Endpoint,
    message: string,
    open: () => boolean,
    use: (read: Result<T, Failure>) => void,
  ): void {
    requests.post(endpoint, call.path, message, call.timeoutSeconds, reply => {
      if (open()) deps.notices.safely("dealing with an answer", () => use(readReply(reply, call.guard)));
    });
  }

  /** The same in a session, by which the next one has to wait until this one has ended. */
  function send<T>(
    session: Session,
    busy: "polling" | "sending",
    call: Call<T>,
    message: string,
    use: (read: Result<T, Failure>) => void,
  ): void {
    session[busy] = true;
    const open = (): boolean => sessionOf(state) === session;
    post(call, session.endpoint, message, open, read => {
      session[busy] = false;
      use(read);
    });
  }

  function sayHello(): void {
    const opened = deps.bridge.open();
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
    const mark = deps.mark();
    const own = { wire: WIRE_VERSION, wireOldest: WIRE_OLDEST };
    const id = deps.world();
    const world = id && { id, name: endpoint.world };
    const asked = { run: deps.run, firstFact: facts.first(), world, knows: ASKED_BY_NAME };
    const hello = { product: PRODUCT_VERSION, ...own, ...asked };
    state = { is: "greeting", session: sessionOf(state) };
    const open = (): boolean => state.is === "greeting";
    post(HELLO, endpoint, JSON.stringify(hello), open, read => {
      if ("fault" in read) return fail("hello", read.fault);
      const answer = read.value;
      const update = sideToUpdate(own, answer);
      if (update !== undefined) return fail("hello", { code: "wire_mismatch", why: "wire_mismatch", update });
      failures.hello = 0;
      welcomedAt = clock.tick();
      report.welcomed(answer);
      state = afterHello(state, answer.session, endpoint, clock.tick());
      deps.welcomed(answer, sentAt, mark);
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

  /** Sends waiting facts at wall time `sentAt`, which is now, if that is possible and they are to go. */
  function flush(sentAt: number): void {
    if (state.is !== "live" || state.session.sending || clock.tick() < state.factsAt) return;
    const batch = facts.take(sentAt);
    if (batch === undefined) return;
    const { session } = state;
    const { json, after } = session;
    const { first, texts } = batch;
    const message = `{"session":${json},"after":${after},"first":${first},"facts":[${texts.join(",")}]}`;
    send(session, "sending", FACTS, message, read => {
      if ("fault" in read) return refused(read.fault, first);
      take(session, read.value, sentAt);
      if (read.value.received < first)
        return fail("facts", { code: "malformed", why: "facts are not acknowledged" });
      failures.facts = 0;
      const now = clock.now();
      report.acknowledged(now, facts.takeDropped(), read.value.refused);
      sendBans();
      flush(now);
    });
  }

  /** In the place of facts, so that no more requests are open than before. */
  function sendBans(): void {
    const tick = clock.tick();
    if (state.is !== "live" || state.session.sending || tick < bansAt) return;
    const asked = deps.bans.ask();
    if (asked === undefined) return;
    const { session } = state;
    bansAt = tick + BANS_TICKS;
    send(session, "sending", BANS, JSON.stringify({ session: session.id, ...asked }), read => {
      if ("value" in read) {
        bansFailed = 0;
        deps.bans.answered(read.value);
      } else {
        bansFailed++;
        bansAt = clock.tick() + waitTicks(bansFailed, random);
        if (bansFailed === BANS_FAILURES) report.bansFailed(read.fault.why);
      }
      flush(clock.now());
    });
  }

  function refused(failure: Failure, first: number): void {
    if (failure.code !== "invalid_message" && failure.code !== "body_too_large") {
      fail("facts", failure);
      return;
    }
    // Where a poll has acknowledged it meanwhile, what would be dropped now is something else.
    const kind = facts.first() === first ? facts.refuse() : undefined;
    if (kind !== undefined) report.factRefused(kind, failure.why);
    flush(clock.now());
  }

  return {
    /** To be called every tick. */
    step(now: number) {
      requests.step(now);
      const tick = clock.tick();
      if (state.is === "live") {
        if (tick >= state.pollAt) sendPoll();
        flush(now);
        sendBans();
      } else if ("until" in state && tick >= state.until) sayHello();
    },
    flush,
    /** True from the answer to a hello until the next one is needed. */
    live: (): boolean => state.is === "live",
    status: (): Readonly<ConnectionStatus> => report.status,
    /** Ends everything; nothing is sent afterwards. */
    stop() {
      state = { is: "stopped" };
    },
  };
}
