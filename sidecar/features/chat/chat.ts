import { createHmac } from "node:crypto";
import type { FactOf } from "../../../shared/facts.ts";
import { BROWSER_LABEL_LENGTH, LABEL_LETTERS } from "../../../shared/web-chat.ts";
import type { BegunAction, Game } from "../../kernel/bridge/actions.ts";
import type { Rates } from "../../kernel/storage/ports.ts";
import type { Bans } from "../bans/bans.ts";
import type { Feed } from "../feed/feed.ts";
import type { Links } from "../linking/links.ts";
import type { LinkedPlayer } from "../linking/rules/links.ts";
import type { Snapshots } from "../status/snapshots.ts";
import { lineForGame, lineForOthers, RELAYED, type WebLine } from "./rules/chat.ts";
import { browserOf } from "./rules/web-chat.ts";
import type { WebChat } from "./web-chat.ts";

/** The public label of a session: eight letters that reveal nothing about its id. */
export type LabelOf = (session: string) => string;

/** Labels of one installation: every sidecar with this bridge token derives the same ones. */
export const createLabels =
  (token: string): LabelOf =>
  session =>
    [...createHmac("sha256", token).update(`label of ${session}`).digest().subarray(0, BROWSER_LABEL_LENGTH)]
      .map(byte => LABEL_LETTERS[byte % LABEL_LETTERS.length])
      .join("");

type ChatAnswer = "sent" | "not allowed" | "server unavailable";

/** Chat from the website to the game. */
export interface Chat {
  /**
   * Relays a message of a chat socket: to the other sockets immediately, and to each addressed game server that is online. Messages
   * of one process reach a game in the order of the calls. `isQueued` settles when no later message of any process can overtake it,
   * or with false: `answer` says why. `answer` is `sent` once a game server has shown the message.
   */
  fromWeb(speaker: Speaker, line: WebLine): { isQueued: Promise<boolean>; answer: Promise<ChatAnswer> };
}

/** A game server that shows messages. */
interface ChatServer {
  readonly name: string;
  readonly game: Pick<Game, "begin">;
  readonly snapshots: Pick<Snapshots, "fresh">;
}

/** Sender and destination of a message. */
export interface Speaker {
  /** id of the connection */
  id: string;
  /** browser session of the cookie */
  session: string | undefined;
  /** the game server addressed; undefined: all of them */
  server: string | undefined;
}

export function createChat(deps: {
  feed: Feed;
  servers: { readonly all: readonly ChatServer[]; readonly isOne: boolean };
  links: Pick<Links, "link">;
  bans: Pick<Bans, "fresh" | "isBanned">;
  webChat: WebChat;
  labelOf: LabelOf;
  /** text with `{content}`, and optionally `{player}`, `{browser}` and `{label}` */
  format: string;
  /** value of `{player}` for an unlinked browser */
  guest: string;
}): Chat {
  const { feed, servers, links, bans, webChat, labelOf, format, guest } = deps;
  /** settles when the previous message is in the feed and in the queue for the game */
  let before: Promise<unknown> = Promise.resolve();

  /** The player that a session is linked to. */
  async function playerOf(session: string | undefined): Promise<LinkedPlayer | undefined> {
    if (session === undefined) return undefined;
    const [link] = await Promise.all([links.link(session), bans.fresh()]);
    return link.status === "accepted" ? link.player : undefined;
  }

  function fromWeb(
    { id: socket, session, server }: Speaker,
    line: WebLine,
  ): { isQueued: Promise<boolean>; answer: Promise<ChatAnswer> } {
    // Messages of different browsers do not wait for each other's lookup.
    const playerPromise = playerOf(session);
    // The rejection is handled below.
    playerPromise.catch(() => undefined);
    const inOrder = before.then(async () => {
      const player = await playerPromise;
      const browser = browserOf(session);
      const label = session === undefined ? null : labelOf(session);
      const names = { browser, label: label ?? browser };
      const to = servers.all.filter(({ name }) => (server ?? name) === name);
      if (!webChat.allows(Object.values(names), player !== undefined)) return "not allowed";
      if (player && to.some(({ name }) => bans.isBanned(player, name))) return "not allowed";
      const online = to.filter(({ snapshots }) => snapshots.fresh());
      const text = online.length > 0 ? lineForGame(format, line, player?.name ?? guest, names) : "";
      const tag = server !== undefined && !servers.isOne && { server };
      // Synchronously, so that messages have the same order everywhere, in the game too.
      const appended = feed.append(at => [
        {
          event: {
            event: "chat",
            at,
            ...tag,
            from: "web",
            content: line.content,
            ...(player && { player: { name: player.name, uuid: player.uuid } }),
            label,
          },
          except: socket,
        },
      ]);
      return { appended, begun: online.map(({ game }) => game.begin({ do: "chat", text })) };
    });
    before = inOrder.catch(() => undefined);
    const queued = inOrder.then(async sent => {
      if (typeof sent === "string") return sent;
      await sent.appended;
      return sent.begun;
    });
    return {
      isQueued: queued.then(
        async sent =>
          typeof sent !== "string" && (await Promise.all(sent.map(each => each.isQueued))).includes(true),
        () => false,
      ),
      answer: queued.then(sent => (typeof sent === "string" ? sent : anyDone(sent))),
    };
  }

  return { fromWeb };
}

/** Settles as soon as one game server has shown a message, without waiting for one that hangs. */
function anyDone(begun: readonly BegunAction[]): Promise<ChatAnswer> {
  return new Promise(resolve => {
    const all = begun.map(async ({ ended }) => {
      if ((await ended).status === "done") resolve("sent");
    });
    void Promise.all(all).then(() => resolve("server unavailable"));
  });
}

type GameChat = FactOf<"said">;

/** A game server whose chat is relayed to the others. */
interface RelayServer {
  readonly name: string;
  readonly info: { readonly title: string };
  readonly game: Pick<Game, "relay">;
  readonly snapshots: Pick<Snapshots, "fresh">;
}

/** Relays chat from one game server to the others. */
export interface Relay {
  /**
   * Relays messages of the named game server, in order and at most once each, to the others that are online. To be called once for each
   * message, under the lease of the request that reports it, which keeps the order. Settles when all are queued.
   */
  relay(from: string, lines: readonly GameChat[]): Promise<void>;
}

/** `format`: as in `lineForOthers`; undefined: nothing is relayed. */
export function createRelay(deps: {
  servers: { readonly all: readonly RelayServer[] };
  rates: Pick<Rates, "take">;
  format: string | undefined;
}): Relay {
  const { servers, rates, format } = deps;
  return {
    async relay(from, lines) {
      const source = servers.all.find(({ name }) => name === from);
      if (format === undefined || source === undefined || lines.length === 0) return;
      const server = source.info.title || source.name;
      const texts = lines.flatMap(line => lineForOthers(format, { ...line, server }) ?? []);
      const taken = await Promise.all(texts.map(() => rates.take({ key: from, rate: RELAYED })));
      const others = servers.all.filter(server => server !== source && server.snapshots.fresh());
      texts.forEach((text, i) => {
        if (taken[i] === -1) for (const { game } of others) game.relay(text);
      });
    },
  };
}
