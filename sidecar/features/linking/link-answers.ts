import type { PlayerRef } from "../../../shared/actions.ts";
import type { Outcome } from "../../../shared/facts.ts";
import type { WantedForm } from "../../../shared/frames.ts";
import { MAX_LINK_REQUESTS } from "../../../shared/limits.ts";
import { StorageAway, type Turn } from "../../kernel/storage/ports.ts";
import type { SharedTime } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { browserOf } from "../chat/rules/web-chat.ts";
import type { ServerPlayersElsewhere } from "../servers/elsewhere.ts";
import type { RequestGate } from "./limits.ts";
import type { LinkWorld, LinkWorlds } from "./link-worlds.ts";
import * as links from "./rules/links.ts";
import type { Storage } from "./storage.ts";

/** Sessions whose links are ended in one step. */
const AT_ONCE = 1_000;

/** Links of the players of one game server, as its pack reports and needs them. */
export interface WorldLinks {
  /**
   * Handles the outcome of a `link-open`, and returns it as it counts: one that came too late has failed. Others stay as they are.
   */
  onOutcome(outcome: Outcome, turn: Turn): Promise<Outcome>;
  /** Stores the answer of a player, now or once that can be done. */
  onAnswer(request: string, accepted: boolean, turn: Turn): Promise<void>;
  /** Ends every accepted link to a player who asked for it in the game, now or once that can be stored, and tells them. */
  unlinkAll(player: PlayerRef, turn: Turn): Promise<void>;
  /** Every request that the pack has to have a form for. */
  wanted(): Promise<WantedForm[]>;
}

export function createLinkAnswers(
  world: LinkWorld,
  deps: {
    time: SharedTime;
    storage: Storage;
    worlds: LinkWorlds;
    gate: RequestGate;
    elsewhere: ServerPlayersElsewhere;
    log: Log;
    /** how long a declined request and an ended link are remembered, in milliseconds */
    keepMs: number;
    /** the record as it stands now */
    settled(record: links.LinkRecord): links.LinkRecord;
    /** whether the answer to the request of a record waits to be stored */
    isAnswered(record: links.LinkRecord): boolean;
    /** name of the site that asks, for the form */
    siteOf(signIn: links.ForSite | undefined): { site?: string };
  },
): WorldLinks {
  const { time, storage, gate, elsewhere, log, keepMs, settled, isAnswered, siteOf } = deps;
  const { store } = storage;
  const { game } = world;
  const server = deps.worlds.serverOf(world);

  /** A step of a request that was asked on this game server; for one that was asked on another it changes nothing. */
  const saidHere =
    <T>(request: string, step: (record: links.LinkRecord) => links.Step<T>) =>
    (record: links.LinkRecord): links.Step<T | "stale"> =>
      links.saidBy(server, request, record, step);

  function closeForm(request: string, turn: Turn): void {
    void game.act({ do: "link-close", request }, undefined, turn);
  }

  async function unlinkAll(player: PlayerRef, turn: Turn): Promise<void> {
    const uuid = world.uuidOf(player);
    // The last one counts: it also ends links accepted after an earlier one.
    await storage.keep(`unlink:${uuid}`, turn => endAll(player, uuid, turn), { last: true, turn });
  }

  async function endAll(player: PlayerRef, uuid: string, turn: Turn | undefined): Promise<void> {
    let ended = 0;
    for (let full = true; full; ) {
      const sessions = await store.linkedTo(uuid, AT_ONCE);
      full = sessions.length === AT_ONCE;
      for (const session of sessions) {
        let open: links.ShownRequest | undefined;
        const unlink = (record: links.LinkRecord) => {
          open = links.shownRequest(record.link);
          return links.unlinkFrom(record, uuid, time() + keepMs);
        };
        if ((await store.change(session, unlink, turn)) === "not_linked") continue;
        ended++;
        if (open) deps.worlds.close(open, turn);
      }
    }
    log.info({ links: ended }, "a player ended the links to them");
    const message = ended > 0 ? "api.unlinked" : "bridge.unlink-none";
    void game.act({ do: "tell", player, message }, undefined, turn);
  }

  async function onOutcome(outcome: Outcome, turn: Turn): Promise<Outcome> {
    const { id: request, status, player } = outcome;
    if (status === "done" && player && elsewhere.refuses("link-open", player)) {
      closeForm(request, turn);
      return onOutcome({ ...outcome, status: "offline" }, turn);
    }
    const session = await store.sessionOf(request);
    if (session === undefined && player === undefined) return outcome;
    // Requests for a player who was not listed were not counted when they were sent.
    const tooMany =
      status === "done" &&
      player !== undefined &&
      (await gate.full(player.name, request, turn)) !== undefined;
    if (tooMany) closeForm(request, turn);
    if (tooMany || status !== "done") {
      // If that cannot be stored, the request expires.
      if (session !== undefined)
        await store
          .change(
            session,
            saidHere(request, record => links.giveUp(record, request)),
            turn,
          )
          .catch(() => undefined);
      return tooMany ? { ...outcome, status: "busy" } : outcome;
    }
    if (session !== undefined && player) {
      const linked = { ...player, uuid: world.uuidOf(player) };
      // A form whose request cannot be stored is closed below.
      const deadline = await store
        .change(
          session,
          saidHere(request, record => links.found(record, request, linked, time())),
          turn,
        )
        .catch((error: unknown) => {
          // The pack reports it again then, perhaps to another sidecar.
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

  function onAnswer(request: string, accepted: boolean, turn: Turn): Promise<void> {
    const at = time();
    const step = (turn?: Turn) => storeAnswer(request, accepted, at, turn);
    return storage.keep(answerTo(request, server), step, { turn });
  }

  async function storeAnswer(
    request: string,
    accepted: boolean,
    at: number,
    turn: Turn | undefined,
  ): Promise<void> {
    const session = await store.sessionOf(request);
    let name = "";
    const answer = saidHere(request, record => {
      const player = links.shownRequest(record.link)?.player;
      name = player?.name ?? "";
      // A player who is online on another game server has not accepted anything here.
      if (accepted && player && elsewhere.refuses("link", refOf(player))) return { record, answer: "stale" };
      return links.answer(record, request, accepted, at, keepMs);
    });
    const step = session === undefined ? "stale" : await store.change(session, answer, turn);
    if (step !== "stale") await gate.answered(name, request, accepted, turn);
    if (step === "accepted" && deps.worlds.all.length > 1)
      await world.gameNote({ action: "link.accept", name }, name, "linked");
    log.info({ request, result: step }, "a player answered a link request");
  }

  /** Records with a request that was asked here, oldest first. */
  async function asked(): Promise<{ session: string; record: links.LinkRecord }[]> {
    for (let limit = MAX_LINK_REQUESTS; ; limit *= 2) {
      const all = await store.open(limit);
      const own = all.filter(({ record }) => links.requestedOn(record) === server);
      // There may be many of other game servers before them.
      if (own.length >= MAX_LINK_REQUESTS || all.length < limit) return own.slice(0, MAX_LINK_REQUESTS);
    }
  }

  async function wanted(): Promise<WantedForm[]> {
    const now = time();
    const forms: WantedForm[] = [];
    for (const { session, record } of await asked()) {
      const { link, asking } = settled(record);
      const browser = browserOf(session);
      const openForMs = (deadline: number): number => Math.max(0, deadline - now);
      if (asking)
        forms.push({ request: asking.request, browser, openForMs: openForMs(asking.deadline), open: false });
      const shown = links.shownRequest(link);
      if (shown === undefined) continue;
      const { request, player, deadline, signIn } = shown;
      // A player whose answer waits to be stored is not asked again.
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
