import type { PlayerRef } from "../../../shared/actions.ts";
import type { Outcome } from "../../../shared/facts.ts";
import type { PendingLinkRequest } from "../../../shared/frames.ts";
import { MAX_LINK_REQUESTS } from "../../../shared/limits.ts";
import { type Lease, StorageAway } from "../../kernel/storage/ports.ts";
import type { SharedTime } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { browserOf } from "../chat/rules/web-chat.ts";
import type { ServerPlayersElsewhere } from "../servers/elsewhere.ts";
import type { LinkRequestLimiter } from "./limits.ts";
import type { LinkServer, LinkServers } from "./link-servers.ts";
import * as links from "./rules/links.ts";
import type { LinkStorage } from "./storage.ts";

/** Sessions whose links are ended in one step. */
const MAX_PER_STEP = 1_000;

/** Links of the players of one game server, as its pack reports and needs them. */
export interface ServerLinks {
  /**
   * Handles the outcome of a `link-open`, and returns the outcome that counts: one that came too late has failed.
   */
  onOutcome(outcome: Outcome, lease: Lease): Promise<Outcome>;
  /** Stores the answer of a player, now or once that can be done. */
  onAnswer(request: string, accepted: boolean, lease: Lease): Promise<void>;
  /** Ends all accepted links to a player who ran the command for it, now or once it can be stored, and sends them a message. */
  unlinkAll(player: PlayerRef, lease: Lease): Promise<void>;
  /** Every request for which the pack needs a form. */
  wanted(): Promise<PendingLinkRequest[]>;
}

export function createServerLinks(
  gameServer: LinkServer,
  deps: {
    time: SharedTime;
    storage: LinkStorage;
    servers: LinkServers;
    limiter: LinkRequestLimiter;
    elsewhere: ServerPlayersElsewhere;
    log: Log;
    /** how long a declined request and an ended link are remembered, in milliseconds */
    keepMs: number;
    /** the record as it stands now */
    settled(record: links.LinkRecord): links.LinkRecord;
    /** whether the answer to the request of a record waits to be stored */
    isAnswered(record: links.LinkRecord): boolean;
    /** name of the site that the request is for, for the form */
    siteOf(signIn: links.SiteSignIn | undefined): { site?: string };
  },
): ServerLinks {
  const { time, storage, limiter, elsewhere, log, keepMs, settled, isAnswered, siteOf } = deps;
  const { store } = storage;
  const { game } = gameServer;
  const server = deps.servers.serverOf(gameServer);

  /** A step that changes only a request that was sent to this game server. */
  const reportedHere =
    <T>(request: string, step: (record: links.LinkRecord) => links.LinkStep<T>) =>
    (record: links.LinkRecord): links.LinkStep<T | "stale"> =>
      links.reportedBy(server, request, record, step);

  function closeForm(request: string, lease: Lease): void {
    void game.act({ do: "link-close", request }, undefined, lease);
  }

  async function unlinkAll(player: PlayerRef, lease: Lease): Promise<void> {
    const uuid = gameServer.uuidOf(player);
    // The last one counts: it also ends links accepted after an earlier one.
    await storage.runOrRetry(`unlink:${uuid}`, lease => endAll(player, uuid, lease), { last: true, lease });
  }

  async function endAll(player: PlayerRef, uuid: string, lease: Lease | undefined): Promise<void> {
    let ended = 0;
    for (let full = true; full; ) {
      const sessions = await store.linkedTo(uuid, MAX_PER_STEP);
      full = sessions.length === MAX_PER_STEP;
      for (const session of sessions) {
        let open: links.OpenRequest | undefined;
        const unlink = (record: links.LinkRecord) => {
          open = links.openRequestOf(record.link);
          return links.unlinkFrom(record, uuid, time() + keepMs);
        };
        if ((await store.change(session, unlink, lease)) === "not_linked") continue;
        ended++;
        if (open) deps.servers.close(open, lease);
      }
    }
    log.info({ links: ended }, "A player removed all their links");
    const message = ended > 0 ? "api.unlinked" : "bridge.unlink-none";
    void game.act({ do: "tell", player, message }, undefined, lease);
  }

  async function onOutcome(outcome: Outcome, lease: Lease): Promise<Outcome> {
    const { id: request, status, player } = outcome;
    if (status === "done" && player && elsewhere.refuses("link-open", player)) {
      closeForm(request, lease);
      return onOutcome({ ...outcome, status: "offline" }, lease);
    }
    const session = await store.sessionOf(request);
    if (session === undefined && player === undefined) return outcome;
    // Requests for a player who was not listed were not counted when they were sent.
    const tooMany =
      status === "done" &&
      player !== undefined &&
      (await limiter.reachedLimit(player.name, request, lease)) !== undefined;
    if (tooMany) closeForm(request, lease);
    if (tooMany || status !== "done") {
      // If that cannot be stored, the request expires.
      if (session !== undefined)
        await store
          .change(
            session,
            reportedHere(request, record => links.cancel(record, request)),
            lease,
          )
          .catch(() => undefined);
      return tooMany ? { ...outcome, status: "busy" } : outcome;
    }
    if (session !== undefined && player) {
      const linked = { ...player, uuid: gameServer.uuidOf(player) };
      // A form whose request cannot be stored is closed below.
      const deadline = await store
        .change(
          session,
          reportedHere(request, record => links.playerFound(record, request, linked, time())),
          lease,
        )
        .catch((error: unknown) => {
          // The pack reports it again then, perhaps to another sidecar.
          if (error instanceof StorageAway) throw error;
          return "stale" as const;
        });
      if (deadline !== "stale") {
        await limiter.opened(player.name, request, deadline - time(), lease);
        return outcome;
      }
    }
    closeForm(request, lease);
    return { ...outcome, status: "failed", reason: "the game answered too late" };
  }

  function onAnswer(request: string, accepted: boolean, lease: Lease): Promise<void> {
    const at = time();
    const step = (lease?: Lease) => storeAnswer(request, accepted, at, lease);
    return storage.runOrRetry(answerTo(request, server), step, { lease });
  }

  async function storeAnswer(
    request: string,
    accepted: boolean,
    at: number,
    lease: Lease | undefined,
  ): Promise<void> {
    const session = await store.sessionOf(request);
    let name = "";
    const answer = reportedHere(request, record => {
      const player = links.openRequestOf(record.link)?.player;
      name = player?.name ?? "";
      // A player who is online on another game server has not accepted anything here.
      if (accepted && player && elsewhere.refuses("link", refOf(player))) return { record, answer: "stale" };
      return links.answer(record, request, accepted, at, keepMs);
    });
    const step = session === undefined ? "stale" : await store.change(session, answer, lease);
    if (step !== "stale") await limiter.answered(name, request, accepted, lease);
    if (step === "accepted" && deps.servers.all.length > 1)
      await gameServer.auditGameChange({ action: "link.accept", name }, name, "linked");
    log.info({ request, result: step }, "A player answered a link request");
  }

  /** Records with a request that was sent to this game server, oldest first. */
  async function requestsHere(): Promise<{ session: string; record: links.LinkRecord }[]> {
    for (let limit = MAX_LINK_REQUESTS; ; limit *= 2) {
      const all = await store.open(limit);
      const own = all.filter(({ record }) => links.requestedOn(record) === server);
      // Many requests of other game servers may come before these.
      if (own.length >= MAX_LINK_REQUESTS || all.length < limit) return own.slice(0, MAX_LINK_REQUESTS);
    }
  }

  async function wanted(): Promise<PendingLinkRequest[]> {
    const now = time();
    const forms: PendingLinkRequest[] = [];
    for (const { session, record } of await requestsHere()) {
      const { link, asking } = settled(record);
      const browser = browserOf(session);
      const openForMs = (deadline: number): number => Math.max(0, deadline - now);
      if (asking)
        forms.push({ request: asking.request, browser, openForMs: openForMs(asking.deadline), open: false });
      const openRequest = links.openRequestOf(link);
      if (openRequest === undefined) continue;
      const { request, player, deadline, signIn } = openRequest;
      // The form stays closed for a player whose answer waits to be stored.
      const open = !isAnswered(record);
      const about = { request, player: refOf(player), browser, ...siteOf(signIn) };
      forms.push({ ...about, openForMs: openForMs(deadline), open });
    }
    return forms;
  }

  return { onOutcome, onAnswer, unlinkAll, wanted };
}

/** Name of the step that stores the answer to a request. */
export const answerTo = (request: string, server = ""): string => `answer:${server}:${request}`;

export const refOf = ({ id, persistentId, name }: links.LinkedPlayer): PlayerRef => ({
  id,
  persistentId,
  name,
});
