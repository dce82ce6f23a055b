import { perServer } from "../../kernel/feature.ts";
import type { SharedTime } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { PlayersElsewhere } from "../servers/elsewhere.ts";
import { answerTo, createServerLinks, refOf, type ServerLinks } from "./game-reports.ts";
import type { LinkRates, LinkRequestLimiter } from "./limits.ts";
import { createLinkRequests, type LinkPlayer } from "./link-requests.ts";
import { createLinkServers, type LinkServer, whereIs } from "./link-servers.ts";
import * as links from "./rules/links.ts";
import type { LinkStorage } from "./storage.ts";

/** Records that one sweep settles at most; the next sweep settles more. */
const SWEEP_LIMIT = 1_000;

/** Links of browser sessions to players. */
export interface Links {
  linkPlayer: LinkPlayer;
  /** The record of a session, with expired parts settled. */
  read(session: string): Promise<links.LinkRecord>;
  /** Changes the record of a session by a step of the rules. */
  change<T>(session: string, step: (record: links.LinkRecord) => links.LinkStep<T>): Promise<T>;
  link(session: string): Promise<links.Link>;
  /** The link of a session; undefined where no request has reached a player, or that is forgotten. */
  known(session: string): Promise<links.Link | undefined>;
  /** Ends an accepted link, and sends the player a message without waiting for it. False: there is none. */
  unlink(session: string): Promise<boolean>;
  /**
   * Cancels the pending request of a session, and closes its form; `ask`: only that of this sign-in. Returns the name of its player;
   * undefined: there is none.
   */
  cancelRequest(session: string, ask?: string): Promise<{ name: string } | undefined>;
  /** Settles expired requests and links. */
  sweep(): Promise<void>;
  of(server: { name: string }): ServerLinks;
}

export function createLinks(deps: {
  time: SharedTime;
  storage: LinkStorage;
  /** the game servers, the first one first */
  servers: { first: LinkServer; all: readonly LinkServer[] };
  elsewhere: PlayersElsewhere;
  limiter: LinkRequestLimiter;
  rates: LinkRates;
  log: Log;
  /** name of another site */
  siteName(site: string): string;
  /** life of a link request in milliseconds */
  verificationMs: number;
  /** how long a declined request and an ended link are remembered, in milliseconds */
  keepMs: number;
}): Links {
  const { time, storage, keepMs } = deps;
  const { store } = storage;
  const servers = createLinkServers(deps.servers);

  /** The record with what has expired settled, unless its answer waits to be stored. */
  const settled = (record: links.LinkRecord): links.LinkRecord =>
    isAnswered(record) ? record : links.settle(record, time(), keepMs);

  /** Whether the answer to its request waits to be stored. */
  function isAnswered(record: links.LinkRecord): boolean {
    const request = links.openRequest(record);
    return request !== undefined && storage.has(answerTo(request, links.requestedOn(record)));
  }

  const siteOf = (signIn: links.SiteSignIn | undefined): { site?: string } =>
    signIn ? { site: deps.siteName(signIn.site) } : {};
  const own = { ...deps, servers, settled, isAnswered, siteOf };
  const { linkPlayer } = createLinkRequests(own);
  const answersOf = perServer(servers.all, server =>
    createServerLinks(server, { ...own, elsewhere: deps.elsewhere.of(server) }),
  );

  async function unlink(session: string): Promise<boolean> {
    let open: links.OpenRequest | undefined;
    const ended = await store.change(session, record => {
      const now = settled(record);
      open = links.openRequestOf(now.link);
      return links.unlink(now, time() + keepMs);
    });
    if (ended === "not_linked") return false;
    if (open) servers.close(open);
    const server = whereIs(ended.uuid, servers.all)?.server ?? servers.first;
    // On another game server, another player may have the same id.
    if (server.uuidOf(ended) === ended.uuid)
      void server.game.act({ do: "tell", player: refOf(ended), message: "api.unlinked" });
    return true;
  }

  const cancelRequest: Links["cancelRequest"] = async (session, ask) => {
    const cancelled = await store.change(session, record =>
      links.cancelPending(settled(record), time() + keepMs, ask),
    );
    if (cancelled === "no_request") return undefined;
    servers.close(cancelled);
    // The player may have seen the form: cancelling must not be a way around the cool-down.
    await deps.limiter.ended(cancelled.name, cancelled.request);
    return cancelled;
  };

  async function sweep(): Promise<void> {
    for (const session of await store.due(time(), SWEEP_LIMIT))
      await store.change(session, record => ({ record: settled(record), answer: undefined }));
  }

  return {
    linkPlayer,
    read: async session => settled(await store.read(session)),
    change: <T>(session: string, step: (record: links.LinkRecord) => links.LinkStep<T>): Promise<T> =>
      store.change(session, record => step(settled(record))),
    link: async session => settled(await store.read(session)).link,
    async known(session) {
      const record = settled(await store.read(session));
      return links.isEmpty(record) ? undefined : record.link;
    },
    unlink,
    cancelRequest,
    sweep,
    of: answersOf,
  };
}
