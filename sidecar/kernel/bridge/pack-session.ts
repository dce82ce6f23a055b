import { createHash } from "node:crypto";
import type {
  BansAnswer,
  BridgeErrorCode,
  Delivery,
  HelloAnswer,
  PendingLinkRequest,
} from "../../../shared/frames.ts";
import type { GameTexts } from "../../../shared/game-texts.ts";
import { FORM_TEXT_LENGTH, POLL_HOLD_SECONDS } from "../../../shared/limits.ts";
import type { BansFrame, FactsFrame, Hello, Poll } from "../../../shared/requests.ts";
import type { Result } from "../../../shared/result.ts";
import { PRODUCT_VERSION, sideToUpdate, WIRE_OLDEST, WIRE_VERSION } from "../../../shared/version.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Refusals } from "../http/refusals.ts";
import type { Lease } from "../storage/ports.ts";
import type { Facts } from "./facts.ts";
import type { Outbox, Refusal } from "./ports.ts";

/**
 * How long facts of one request are handled before it is answered, in milliseconds. Together with the wait for the lease it is shorter
 * than the pack's timeout: otherwise the pack would resend them while the first request still holds the lease.
 */
const HANDLE_MS = 1_000;
/** How long facts are handled before yielding to the event loop, in milliseconds. */
const SLICE_MS = 5;

/** Why a pack's request is rejected, with details. */
export interface PackRefusal {
  error: BridgeErrorCode;
  more?: { detail?: string; product?: string; update?: string };
}

/** Answers the requests of a pack. Every call throws `StorageFault`. */
export interface PackSession {
  /** Begins or resumes the session of a run. */
  hello(message: Hello): Promise<Result<HelloAnswer, PackRefusal>>;
  /** Waits for actions; undefined: the connection has closed, and `gone` is aborted. */
  poll(poll: Poll, gone: AbortSignal): Promise<Result<Delivery, PackRefusal> | undefined>;
  /** Handles new facts, as many as there is time for; a resent frame waits for its first copy. */
  facts(frame: FactsFrame): Promise<Result<Delivery, PackRefusal>>;
  /** Applies ban changes made in the game, and answers with those made elsewhere. */
  bans(frame: BansFrame): Promise<Result<BansAnswer, PackRefusal>>;
}

type Greeting = Pick<HelloAnswer, "linkForm" | "texts" | "languages">;

/** Adds the name of the game server to the forms for players, if there are several. */
function withServerName({ linkForm, texts, languages }: Greeting, server: string | undefined): Greeting {
  if (server === undefined) return { linkForm, texts, languages };
  const named = (original: GameTexts): GameTexts => {
    const line = (original["bridge.status-server"] ?? texts["bridge.status-server"] ?? "{server}").replace(
      "{server}",
      () => server,
    );
    const added: GameTexts = {};
    for (const key of ["api.link-prompt-body", "api.sign-in-prompt-body"] as const) {
      const body = `${original[key]}\n${line}`;
      if (original[key] !== undefined && body.length <= FORM_TEXT_LENGTH) added[key] = body;
    }
    return { ...original, ...added };
  };
  return {
    linkForm,
    texts: named(texts),
    languages: languages.map(each => ({ ...each, texts: named(each.texts) })),
  };
}

/** What the session needs from features, for one game server. */
interface PackFeatures {
  links: { wanted(): Promise<PendingLinkRequest[]> };
  bans: {
    /** Reads the ban list again. */
    fresh(): Promise<void>;
    /** Applies ban changes made in the game, and answers with those made elsewhere. */
    answer(frame: BansFrame, lease: Lease): Promise<BansAnswer>;
  };
  /** never rejects */
  connections: {
    connected(hello: Hello): Promise<void>;
    refused(hello: Hello): Promise<void>;
    /** display name of the world that connected last */
    lastWorld(): Promise<string | undefined>;
  };
}

export function createPackSession(deps: {
  clock: Pick<Clock, "monotonic" | "soon">;
  log: Pick<Log, "error">;
  outbox: Outbox;
  facts: Pick<Facts, "began" | "handle">;
  features: PackFeatures;
  refusals: Pick<Refusals, "lastMinute">;
  refreshMs: number;
  /** name of the game server for players; undefined: there is only one */
  server: string | undefined;
  /** forms and texts for players */
  greeting: Greeting;
}): PackSession {
  const { clock, log, outbox, facts, refusals, refreshMs, server, greeting } = deps;
  const { links, connections, bans } = deps.features;
  const forPlayers = withServerName(greeting, server);
  const textsId = createHash("sha256").update(JSON.stringify(forPlayers)).digest("base64url").slice(0, 16);
  const versions = { product: PRODUCT_VERSION, wire: WIRE_VERSION, wireOldest: WIRE_OLDEST };

  /** Sends a replaced pack the name of the world that replaced it. */
  async function refused(error: Refusal): Promise<{ fault: PackRefusal }> {
    const world = error === "session_replaced" ? await connections.lastWorld() : undefined;
    return { fault: { error, ...(world !== undefined && { more: { detail: `world: ${world}` } }) } };
  }

  async function handleFacts(frame: FactsFrame, lease: Lease): Promise<Result<Delivery, PackRefusal>> {
    const { session, after, first } = frame;
    const until = clock.monotonic() + HANDLE_MS;
    const [received] = await Promise.all([outbox.received(session, lease), bans.fresh()]);
    if ("fault" in received) return refused(received.fault);
    const { run, fact } = received.value;
    let last = fact;
    const marks: Promise<void>[] = [];
    let since = clock.monotonic();
    for (let rest = frame.facts.slice(Math.max(0, last - first + 1)); rest.length > 0; ) {
      const from = first + frame.facts.length - rest.length;
      const handled = await facts.handle(rest, { run, first: from, lease });
      rest = rest.slice(handled);
      last = from + handled - 1;
      const mark = outbox.markReceived(session, last, lease);
      // The rejection is handled below.
      mark.catch(() => undefined);
      marks.push(mark);
      // The answer says how many were handled: the pack resends the rest immediately.
      if (clock.monotonic() >= until) break;
      if (clock.monotonic() - since < SLICE_MS) continue;
      await new Promise<void>(resolve => clock.soon(resolve));
      since = clock.monotonic();
    }
    const [polled] = await Promise.all([outbox.take(session, after, 0), ...marks]);
    if ("fault" in polled) return refused(polled.fault);
    const lines = refusals.lastMinute();
    return { value: { actions: polled.value, received: last, ...(lines && { refused: lines }) } };
  }

  return {
    async hello(message) {
      const update = sideToUpdate(message, versions);
      if (update !== undefined) {
        const versions = { pack: message.product, sidecar: PRODUCT_VERSION };
        log.error(versions, `The pack has an incompatible wire version: update the ${update}`);
        return { fault: { error: "wire_mismatch", more: { product: PRODUCT_VERSION, update } } };
      }
      const opened = await outbox.withLease(async lease => {
        const begun = await outbox.open(message, lease);
        if ("value" in begun) {
          await facts.began(message.run, begun.value.lost, lease);
          await connections.connected(message);
        }
        return begun;
      });
      if ("value" in opened)
        return {
          value: {
            ...versions,
            session: opened.value.session,
            refreshMs,
            ...forPlayers,
            ...(message.textsId === textsId && { texts: {}, languages: [] }),
            textsId,
            ...(server !== undefined && { server }),
            forgets: true,
            bans: true,
            links: await links.wanted(),
          },
        };
      await connections.refused(message);
      return refused(opened.fault);
    },
    async poll({ session, after }, gone) {
      const polled = await outbox.take(session, after, POLL_HOLD_SECONDS * 1000, gone);
      if (gone.aborted) return undefined;
      const received = "value" in polled ? await outbox.received(session) : polled;
      // The poll may end before the hello that replaces its session has been handled.
      if ("fault" in received) return outbox.withLease(() => refused(received.fault));
      return { value: { actions: "value" in polled ? polled.value : [], received: received.value.fact } };
    },
    facts: frame => outbox.withLease(lease => handleFacts(frame, lease)),
    bans: frame =>
      outbox.withLease(async lease => {
        const received = await outbox.received(frame.session, lease);
        if ("fault" in received) return refused(received.fault);
        return { value: await bans.answer(frame, lease) };
      }),
  };
}
