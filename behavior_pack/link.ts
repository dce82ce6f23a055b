import type { Action } from "../shared/actions.ts";
import { type Delivery, delivery, type HelloAnswer, helloAnswer, PATHS } from "../shared/frames.ts";
import type { Guard } from "../shared/guard.ts";
import { POLL_TIMEOUT_SECONDS, REQUEST_TIMEOUT_SECONDS } from "../shared/limits.ts";
import { PRODUCT_VERSION, sideToUpdate, WIRE_OLDEST, WIRE_VERSION } from "../shared/version.ts";
import { waitTicks } from "./backoff.ts";
import type { FactQueue } from "./fact-queue.ts";
import { errorName, type Notices } from "./notices.ts";
import type { Bridge, Clock, Door } from "./ports.ts";
import { type Failure, inWords, readReply } from "./replies.ts";
import type { Requests } from "./requests.ts";

/** Wait before the next hello after another game server has taken over, in ticks: 60 s. */
export const REPLACED_WAIT_TICKS = 1200;

export interface LinkDeps {
  clock: Clock;
  random: () => number;
  bridge: Bridge;
  requests: Requests;
  facts: FactQueue;
  notices: Notices;
  /** name of this run of the script */
  run: string;
  /** a number that tells later which link requests came before this moment */
  mark(): number;
  /** The sidecar answered a hello that was sent at wall time `sentAt` and at `mark`. */
  welcomed(answer: HelloAnswer, sentAt: number, mark: number): void;
  /** New actions, in order, from the answer to a request sent at wall time `sentAt`. */
  delivered(actions: Action[], sentAt: number): void;
}

/** The conversation with the sidecar: says hello, holds a poll open, sends facts, and starts again after failures. */
export interface Link {
  /** To be called every tick. */
  step(): void;
  /** Sends waiting facts now, if that is possible. */
  flush(): void;
  /** True from the answer to a hello until the next one is needed. */
  live(): boolean;
  state(): LinkState;
  /** Ends everything; nothing is sent afterwards. */
  stop(): void;
}

export interface LinkState {
  url: string;
  /** product version of the sidecar that answered last, empty before that */
  sidecar: string;
  /** why there is no connection, in words */
  reason: string;
  /** wall time of the last answer to facts, 0 before that */
  acknowledgedAt: number;
}

/** One kind of request, of which one is open at a time. */
interface Channel {
  /** number of the open request, 0 when there is none; the answer to any other one is of no interest */
  open: number;
  /** in a row */
  failures: number;
  /** tick before which none is sent */
  readyAt: number;
}

const channel = (): Channel => ({ open: 0, failures: 0, readyAt: 0 });

// Answers take at least a tick to come; this holds even if the game should deliver one at once.
const POLLS_PER_TICK = 4;

export function createLink(deps: LinkDeps): Link {
  const { clock, requests, facts, notices } = deps;
  const hello = channel();
  const poll = channel();
  const sending = channel();
  let door: Door | undefined;
  let session: string | undefined;
  let stale = true;
  let announced = false;
  // The outage has been told of: what comes of further attempts is no news.
  let lost = false;
  let stopped = false;
  let lastSeen = 0;
  let sent = 0;
  let polledAt = -1;
  let polls = 0;
  const state: LinkState = { url: "-", sidecar: "", reason: "-", acknowledgedAt: 0 };

  /** Requests of another session are left to end by themselves. */
  function enter(next: string | undefined): void {
    session = next;
    lastSeen = 0;
    poll.open = 0;
    sending.open = 0;
  }

  function fail(on: Channel, failure: Failure): void {
    state.reason = inWords(failure);
    on.failures++;
    const replaced = failure.why.startsWith("session_replaced");
    const forgotten = failure.status === 409;
    if (forgotten) enter(undefined);
    if (forgotten || failure.status === 401 || failure.status === 426 || on === hello || on.failures > 1)
      stale = true;
    const wait = replaced
      ? REPLACED_WAIT_TICKS
      : forgotten && on.failures === 1
        ? 0
        : waitTicks(on.failures, deps.random);
    on.readyAt = clock.tick() + wait;
    if (stale) hello.readyAt = Math.max(hello.readyAt, on.readyAt);
    tell(on, failure, replaced);
  }

  function tell(on: Channel, failure: Failure, replaced: boolean): void {
    const url = door?.url ?? "the sidecar";
    if (failure.status === 401)
      notices.once(
        "link:token",
        `${url} refuses the token: make bridge-token in secrets.json equal to the sidecar's`,
      );
    else if (failure.status === 426) tellVersion(failure.update, "");
    else if (replaced) notices.once("link:replaced", "another game server has taken over this bridge");
    else if (failure.malformed) notices.once("link:malformed", `${url}: ${failure.why}`);
    else if (failure.status === 400) notices.once("link:refused", `${url} refused a message: ${failure.why}`);
    if (replaced) {
      announced = false;
      lost = true;
      return;
    }
    if (on !== hello && on.failures < 2) return;
    if (announced) {
      announced = false;
      lost = true;
      notices.say(`lost the sidecar at ${url} (${inWords(failure)}); trying again until it is back`);
    } else if (failure.malformed || lost) return;
    else if (failure.status === 0)
      notices.once(
        "link:silent",
        `no answer from ${url} (${inWords(failure)}); trying again until there is one`,
      );
    else if (![400, 401, 426].includes(failure.status))
      notices.once("link:status", `${url} cannot serve this pack (${failure.why}); trying again`);
  }

  function tellVersion(update: string | undefined, versions: string): void {
    const side =
      update === "sidecar" ? "the sidecar" : update === "pack" ? "the behavior pack" : "the older side";
    notices.once("link:version", `pack and sidecar do not fit together${versions}: update ${side}`);
  }

  /** Sends a request on a channel; `use` gets the checked answer. */
  function ask<T>(
    on: Channel,
    path: string,
    body: string,
    seconds: number,
    guard: Guard<T>,
    use: (value: T) => void,
    refused: (failure: Failure) => void = failure => fail(on, failure),
  ): void {
    if (door === undefined) return;
    sent++;
    const own = sent;
    on.open = own;
    requests.post(door, path, body, seconds, reply => {
      if (stopped || on.open !== own) return;
      on.open = 0;
      try {
        const read = readReply(reply, guard);
        if ("failure" in read) refused(read.failure);
        else use(read.value);
      } catch (error) {
        notices.once(
          "fault:answer",
          `unexpected fault while dealing with an answer (${errorName(error)}); going on`,
        );
      }
    });
  }

  function sayHello(): void {
    const opened = deps.bridge.open();
    if ("fault" in opened) {
      state.reason = opened.fault;
      hello.failures++;
      hello.readyAt = clock.tick() + waitTicks(hello.failures, deps.random);
      notices.once(`link:setting:${opened.fault}`, opened.fault);
      return;
    }
    door = opened;
    state.url = opened.url;
    const sentAt = clock.now();
    const mark = deps.mark();
    const body = JSON.stringify({
      product: PRODUCT_VERSION,
      wire: WIRE_VERSION,
      wireOldest: WIRE_OLDEST,
      run: deps.run,
      firstFact: facts.first(),
    });
    ask(hello, PATHS.hello, body, REQUEST_TIMEOUT_SECONDS, helloAnswer, answer => {
      const update = sideToUpdate({ wire: WIRE_VERSION, wireOldest: WIRE_OLDEST }, answer);
      if (update !== undefined) {
        fail(hello, { status: 426, why: "wire_mismatch", update });
        return;
      }
      hello.failures = 0;
      stale = false;
      state.sidecar = answer.product;
      if (answer.session !== session) enter(answer.session);
      poll.readyAt = sending.readyAt = clock.tick();
      deps.welcomed(answer, sentAt, mark);
      if (poll.open === 0) sendPoll();
    });
  }

  function sendPoll(): void {
    if (stale || stopped) return;
    polls = polledAt === clock.tick() ? polls + 1 : 1;
    polledAt = clock.tick();
    if (polls > POLLS_PER_TICK) return;
    const sentAt = clock.now();
    const body = JSON.stringify({ session, after: lastSeen });
    ask(poll, PATHS.poll, body, POLL_TIMEOUT_SECONDS, delivery, answer => {
      poll.failures = 0;
      take(answer, sentAt);
      sendPoll();
    });
  }

  function take(answer: Delivery, sentAt: number): void {
    facts.acknowledge(answer.received);
    if (answer.actions.length === 0) return;
    const fresh = answer.actions.filter(action => action.seq > lastSeen).sort((a, b) => a.seq - b.seq);
    const last = fresh[fresh.length - 1];
    if (last === undefined) return;
    lastSeen = last.seq;
    deps.delivered(fresh, sentAt);
  }

  function flush(): void {
    if (stopped || stale || sending.open > 0 || clock.tick() < sending.readyAt) return;
    const batch = facts.take();
    if (batch === undefined) return;
    const sentAt = clock.now();
    const body = `{"session":${JSON.stringify(session)},"after":${lastSeen},"first":${batch.first},"facts":[${batch.texts.join(",")}]}`;
    const refused = (failure: Failure): void => {
      if (failure.status !== 400 && failure.status !== 413) {
        fail(sending, failure);
        return;
      }
      // Where a poll has acknowledged it meanwhile, what would be dropped now is something else.
      const kind = facts.first() === batch.first ? facts.refuse() : undefined;
      if (kind !== undefined)
        notices.once(
          `link:fact:${kind}`,
          `the sidecar refused a fact (${kind}: ${failure.why}); it is dropped`,
        );
      flush();
    };
    ask(
      sending,
      PATHS.facts,
      body,
      REQUEST_TIMEOUT_SECONDS,
      delivery,
      answer => {
        take(answer, sentAt);
        if (answer.received < batch.first) {
          fail(sending, { status: 0, why: "facts are not acknowledged", malformed: true });
          return;
        }
        sending.failures = 0;
        state.acknowledgedAt = clock.now();
        announce();
        flush();
      },
      refused,
    );
  }

  function announce(): void {
    const lines = facts.takeDropped();
    if (lines > 0) notices.say(`${lines} lines of game chat were dropped while the sidecar was away`);
    if (announced) return;
    announced = true;
    lost = false;
    notices.clear("link:");
    notices.say(`connected to the sidecar at ${door?.url}`);
  }

  return {
    step() {
      requests.step();
      if (stopped) return;
      const tick = clock.tick();
      if (stale) {
        if (hello.open === 0 && tick >= hello.readyAt) sayHello();
        return;
      }
      if (poll.open === 0 && tick >= poll.readyAt) sendPoll();
      flush();
    },
    flush,
    live: () => !stale,
    state: () => state,
    stop() {
      stopped = true;
      stale = true;
    },
  };
}
