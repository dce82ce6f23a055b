import { randomUUID } from "node:crypto";
import type { Outcome, PlayerRef } from "../../shared/actions.ts";
import type { WantedForm } from "../../shared/frames.ts";
import { MAX_LINK_REQUESTS, NAME_LENGTH } from "../../shared/limits.ts";
import * as links from "../domain/links.ts";
import type { LinkLimit } from "../domain/player-requests.ts";
import { browserOf } from "../domain/web-chat.ts";
import { type Log, type SharedTime, StorageAway, type Turn } from "../ports.ts";
import { ACTION_TIMEOUT_MS, type Game } from "./game.ts";
import { playerUuid } from "./players.ts";
import type { RequestGate } from "./request-gate.ts";
import type { Storage } from "./storage.ts";

/** Records that one sweep settles at most; the next one goes on. */
const SWEEP_LIMIT = 1_000;

/** What a player who blocked requests is said to wait for: nobody knows how long it will be. */
const BLOCKED_MS = 60 * 60_000;

/** Answer of `linkPlayer`; `unstored`: nothing can be stored now; `unexpected` says why in words for the log. */
type LinkPlayerResult =
  | { answer: "verification_sent" | "already_pending" | "player_offline" | "busy" | "unstored" }
  | { answer: "held"; by: LinkLimit | "everybody"; waitMs: number }
  | { answer: "unexpected"; why: string };

/** How often all of the web together may ask. */
export interface LinkRates {
  /** Counts a request that is to go to the game; how long it has to wait instead, in milliseconds, or 0. Never rejects. */
  take(username: string, online: boolean): number | Promise<number>;
  /** A player online wants no request at the moment, or has too many. */
  unreached(username: string): void;
}

export type Links = ReturnType<typeof createLinks>;

export function createLinks(deps: {
  time: SharedTime;
  storage: Storage;
  game: Game;
  gate: RequestGate;
  rates: LinkRates;
  /** whether the last snapshot lists a player of this name */
  listed(name: string): boolean;
  log: Log;
  bridgeId: string;
  /** life of a link request in milliseconds */
  verificationMs: number;
  /** how long a declined request and an ended link are remembered, in milliseconds */
  keepMs: number;
}) {
  const { time, storage, game, gate, rates, log, bridgeId, verificationMs, keepMs } = deps;
  const { store } = storage;

  /** The record as it stands now. A request whose answer waits to be stored does not run out. */
  function settled(record: links.LinkRecord): links.LinkRecord {
    const request = links.openRequest(record);
    return request !== undefined && storage.keeps(request) ? record : links.settle(record, time(), keepMs);
  }

  /**
   * Asks the online player of exactly this name to be linked to the session. `address`: what the browser's address is
   * counted by.
   */
  async function linkPlayer(session: string, username: string, address: string): Promise<LinkPlayerResult> {
    if (username.length > NAME_LENGTH) return { answer: "player_offline" };
    if (links.openRequest(settled(await store.read(session)))) return { answer: "already_pending" };
    // What is on its way may still find room where its form does not.
    if (storage.fault() !== undefined) return { answer: "unstored" };
    const request = `link:${randomUUID()}`;
    const online = deps.listed(username);
    const held = await gate.admit(username, {
      request,
      from: [address, session],
      browser: browserOf(session),
      lifeMs: ACTION_TIMEOUT_MS,
      online,
    });
    if (held !== "admitted") return { answer: "held", ...held };
    try {
      const counted = rates.take(username, online);
      const waitMs = typeof counted === "number" ? counted : await counted;
      if (waitMs > 0) return { answer: "held", by: "everybody", waitMs };
      return await send(session, username, request);
    } finally {
      await gate.giveUp(username, request);
    }
  }

  /** Hands a request that may go to the player to the game. */
  async function send(session: string, username: string, request: string): Promise<LinkPlayerResult> {
    const now = time();
    const own = { request, username, until: now + ACTION_TIMEOUT_MS, deadline: now + verificationMs };
    const begun = await store.change(session, record => links.begin(settled(record), own, now));
    if (begun === "already_pending") return { answer: "already_pending" };
    const browser = browserOf(session);
    const alike = await endAlike(session, username);
    if (alike) return alike;
    const ended = await game.act(
      { do: "link-open", request, username, browser, openForMs: verificationMs },
      request,
    );
    if (ended.status === "blocked" || ended.status === "busy") rates.unreached(username);
    if (ended.status === "done") return { answer: "verification_sent" };
    // What the game has of it, it goes on with.
    if (ended.status === "away" && ended.begun) return { answer: "unstored" };
    const step = await store.change(session, record => links.giveUp(record, request));
    if (ended.status === "away") return { answer: "unstored" };
    const became = step === "stale" ? (await store.read(session)).link : undefined;
    // The outcome may have been noted in the very moment in which waiting for it ended.
    if (became?.status === "pending" && became.request === request) return { answer: "verification_sent" };
    if (became?.status === "declined" && became.alike === request) return heldAlike(verificationMs);
    if (ended.status === "offline") return { answer: "player_offline" };
    if (ended.status === "blocked") return { answer: "held", by: "blocked", waitMs: BLOCKED_MS };
    if (ended.status === "busy" || ended.status === "full") {
      const full = await gate.full(username, request);
      return full ? { answer: "held", ...full } : { answer: "busy" };
    }
    if (ended.status !== "timeout" || ended.begun) closeForm(request);
    if (storage.fault() !== undefined) return { answer: "unstored" };
    const reason = "reason" in ended ? `: ${ended.reason}` : "";
    return { answer: "unexpected", why: `link request ${ended.status}${reason}` };
  }

  /**
   * Where a request of another session, open or on its way, shows the same player the same characters, nobody can tell which
   * is whose: all of them end, and this one is answered so.
   */
  async function endAlike(own: string, username: string): Promise<LinkPlayerResult | undefined> {
    const browser = browserOf(own);
    const all = (await store.open(MAX_LINK_REQUESTS, browser)).flatMap(({ session, record }) => {
      const now = settled(record);
      const request = links.openRequest(now);
      const isOpen = request !== undefined && !storage.keeps(request);
      return isOpen && links.requestedPlayer(now) === username ? [{ session, request }] : [];
    });
    if (all.every(({ session }) => session === own)) return undefined;
    const waitMs = await gate.alike(username, browser, verificationMs);
    for (const { session, request } of all) {
      const end = (record: links.LinkRecord) => links.endAlike(settled(record), request, time() + keepMs);
      const step = await store.change(session, end);
      if (step === "stale" || session === own) continue;
      closeForm(request);
      await gate.refused(username, request);
    }
    return heldAlike(waitMs);
  }

  function closeForm(request: string, turn?: Turn): void {
    void game.act({ do: "link-close", request }, undefined, turn);
  }

  /** Ends an accepted link; the player is told, which is not waited for. False when there is none. */
  async function unlink(session: string): Promise<boolean> {
    const ended = await store.change(session, record => links.unlink(settled(record), time() + keepMs));
    if (ended === "not_linked") return false;
    void game.act({ do: "tell", player: refOf(ended), message: "api.unlinked" });
    return true;
  }

  /**
   * Ends every accepted link to a player, who asked for it in the game and is told what came of it. What cannot be stored
   * waits.
   */
  async function unlinkAll(player: PlayerRef, turn: Turn): Promise<void> {
    const uuid = playerUuid(player, bridgeId);
    // It has to end what the player has accepted since an earlier one, too.
    await storage.keep(`unlink:${uuid}`, turn => endAll(player, uuid, turn), { last: true, turn });
  }

  async function endAll(player: PlayerRef, uuid: string, turn: Turn | undefined): Promise<void> {
    let ended = 0;
    for (let full = true; full; ) {
      const sessions = await store.linkedTo(uuid, SWEEP_LIMIT);
      full = sessions.length === SWEEP_LIMIT;
      for (const session of sessions) {
        const unlink = (record: links.LinkRecord) => links.unlinkFrom(record, uuid, time() + keepMs);
        const step = await store.change(session, unlink, turn);
        if (step !== "not_linked") ended++;
      }
    }
    log.info({ links: ended }, "a player ended the links to them");
    const message = ended > 0 ? "api.unlinked" : "bridge.unlink-none";
    void game.act({ do: "tell", player, message }, undefined, turn);
  }

  /**
   * Deals with what became of a `link-open`, or of an action that may be one. Returns the outcome as it counts: one that
   * came too late has failed. Outcomes of other actions come back as they are.
   */
  async function onOutcome(outcome: Outcome, turn: Turn): Promise<Outcome> {
    const { id: request, status, player } = outcome;
    const session = await store.sessionOf(request);
    if (session === undefined && player === undefined) return outcome;
    // One who has just joined may have been asked by many at once, of whom nobody took up room.
    const tooMany =
      status === "done" &&
      player !== undefined &&
      (await gate.full(player.name, request, turn)) !== undefined;
    if (tooMany) closeForm(request, turn);
    if (tooMany || status !== "done") {
      // Where that cannot be stored it runs out by itself.
      if (session !== undefined)
        await store.change(session, record => links.giveUp(record, request), turn).catch(() => undefined);
      return tooMany ? { ...outcome, status: "busy" } : outcome;
    }
    if (session !== undefined && player) {
      const linked = { ...player, uuid: playerUuid(player, bridgeId) };
      // What cannot be stored must not be open in the game.
      const deadline = await store
        .change(session, record => links.found(record, request, linked, time()), turn)
        .catch((error: unknown) => {
          // It is told again then, perhaps to another sidecar.
          if (error instanceof StorageAway) throw error;
          return "stale" as const;
        });
      if (deadline !== "stale") {
        await gate.opened(player.name, request, deadline - time(), turn);
        return outcome;
      }
    }
    closeForm(request, turn);
    return { ...outcome, status: "failed", reason: "the game answered too late" };
  }

  /** Deals with the answer of a player; what cannot be stored waits. */
  function onAnswer(request: string, accepted: boolean, turn: Turn): Promise<void> {
    const at = time();
    return storage.keep(request, turn => storeAnswer(request, accepted, at, turn), { turn });
  }

  async function storeAnswer(
    request: string,
    accepted: boolean,
    at: number,
    turn: Turn | undefined,
  ): Promise<void> {
    const session = await store.sessionOf(request);
    let name = "";
    const answer = (record: links.LinkRecord) => {
      if (record.link.status === "pending") name = record.link.player.name;
      return links.answer(record, request, accepted, at, keepMs);
    };
    const step = session === undefined ? "stale" : await store.change(session, answer, turn);
    if (step !== "stale") await gate.answered(name, request, accepted, turn);
    log.info({ request, result: step }, "a player answered a link request");
  }

  /** Every request that a pack has to have a form for. */
  async function wanted(): Promise<WantedForm[]> {
    const now = time();
    const forms: WantedForm[] = [];
    for (const { session, record } of await store.open(MAX_LINK_REQUESTS)) {
      const { link, asking } = settled(record);
      const browser = browserOf(session);
      const openForMs = (deadline: number): number => Math.max(0, deadline - now);
      if (asking)
        forms.push({ request: asking.request, browser, openForMs: openForMs(asking.deadline), open: false });
      if (link.status !== "pending") continue;
      const { request, player, deadline } = link;
      // A player whose answer waits to be stored is not asked again.
      const open = !storage.keeps(request);
      forms.push({ request, player: refOf(player), browser, openForMs: openForMs(deadline), open });
    }
    return forms.slice(0, MAX_LINK_REQUESTS);
  }

  /** Settles what has run out. */
  async function sweep(): Promise<void> {
    for (const session of await store.due(time(), SWEEP_LIMIT))
      await store.change(session, record => ({ record: settled(record), answer: undefined }));
  }

  return {
    linkPlayer,
    /** The link of a session as it stands. */
    link: async (session: string): Promise<links.Link> => settled(await store.read(session)).link,
    /** The same; undefined for a session that never asked, or so long ago that it is forgotten. */
    async known(session: string): Promise<links.Link | undefined> {
      const record = settled(await store.read(session));
      return links.isEmpty(record) ? undefined : record.link;
    },
    unlink,
    unlinkAll,
    onOutcome,
    onAnswer,
    wanted,
    sweep,
  };
}

const heldAlike = (waitMs: number): LinkPlayerResult => ({ answer: "held", by: "same-browser", waitMs });

const refOf = ({ id, persistentId, name }: links.LinkedPlayer): PlayerRef => ({ id, persistentId, name });
