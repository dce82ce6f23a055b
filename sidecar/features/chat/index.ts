import type { FactOf } from "../../../shared/facts.ts";
import type { Game } from "../../kernel/bridge/actions.ts";
import type { FactHandlers, Line } from "../../kernel/bridge/facts.ts";
import type { Bus } from "../../kernel/bridge/ports.ts";
import { bound } from "../../kernel/http/route.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Bans, ServerBans } from "../bans/bans.ts";
import type { ServiceContext } from "../context.ts";
import type { Feed } from "../feed/feed.ts";
import type { NewEntry, ServerFeed } from "../feed/feed-log.ts";
import type { ServerTag } from "../feed/rules/window.ts";
import type { Links } from "../linking/links.ts";
import type { PresenceTracker } from "../players/presence.ts";
import type { PlayersElsewhere, ServerPlayersElsewhere } from "../servers/elsewhere.ts";
import type { ServiceFeature } from "../servers/game-server.ts";
import { type Chat, createChat, createRelay, type LabelOf, type Relay } from "./chat.ts";
import type { WebChatStore } from "./records.ts";
import { chatRoutes } from "./routes.ts";
import { lineForWeb } from "./rules/chat.ts";
import { createChatRates } from "./socket/messages.ts";
import { createSockets } from "./socket/sockets.ts";
import type { WebChat } from "./web-chat.ts";

/** A game server with chat. */
interface ChattingServer {
  readonly name: string;
  readonly tag: ServerTag;
  readonly game: Game;
  readonly bus: Pick<Bus, "lastSnapshot">;
  readonly feed: Pick<ServerFeed, "appendOnce">;
  readonly presence: Pick<PresenceTracker, "named">;
}

/** Relays chat and deaths of a game server, and applies web chat settings made by its operators. */
function chatFacts(deps: {
  clock: Pick<Clock, "now">;
  server: ChattingServer;
  bans: Pick<ServerBans, "isBanned" | "isNameBanned">;
  elsewhere: Pick<ServerPlayersElsewhere, "has">;
  webChat: WebChat;
  relay: Pick<Relay, "relay">;
  /** whether there are other game servers, on which players may have hidden themselves */
  isOneOfSeveral: boolean;
}): FactHandlers {
  const { clock, bans, elsewhere, webChat, relay } = deps;
  const { name, tag, game, bus, feed, presence } = deps.server;

  /** Players here who hid themselves on another game server: an older pack does not know that. */
  async function hiddenHere(lines: readonly Line[]): Promise<ReadonlySet<string>> {
    const isNeeded = deps.isOneOfSeveral && lines.some(({ fact }) => fact.is === "died");
    const last = isNeeded ? await bus.lastSnapshot() : undefined;
    return new Set(last?.rows.flatMap(({ player, hidden }) => (hidden ? [player.id] : [])));
  }

  function deathOf(fact: FactOf<"died">, at: number, hidden: ReadonlySet<string>): NewEntry | undefined {
    const isVisible = (player: FactOf<"died">["player"]): boolean =>
      !hidden.has(player.id) && !bans.isBanned(player) && !elsewhere.has(player);
    if (!isVisible(fact.player)) return undefined;
    const killer = fact.killer && isVisible(fact.killer) && { killer: presence.named(fact.killer) };
    return { event: { event: "death", at, ...tag, player: presence.named(fact.player), ...killer } };
  }

  function lineOf(fact: FactOf<"said">, at: number): NewEntry | undefined {
    if (fact.player ? bans.isBanned(fact.player) : bans.isNameBanned(fact.name)) return undefined;
    const player = fact.player && !elsewhere.has(fact.player) && { player: presence.named(fact.player) };
    const content = lineForWeb(fact.name, fact.text);
    const event = { event: "chat" as const, at, ...tag, from: "game" as const, content, ...player };
    return { event, ...(webChat.mode() === "off" && { withheld: true as const }) };
  }

  return {
    webchat: (fact, { lease }) => webChat.onMode(fact, game, lease),
    mute: (fact, { lease }) => webChat.onMute(fact, game, lease),
    async lines(lines, { lease }) {
      const hidden = await hiddenHere(lines);
      const at = clock.now();
      const passed = lines.flatMap(({ fact, key }) => {
        const entry = fact.is === "died" ? deathOf(fact, at, hidden) : lineOf(fact, at);
        return entry ? [{ fact, entry: { ...entry, key } }] : [];
      });
      if (passed.length === 0) return;
      const entries = passed.map(({ entry }) => entry);
      const fresh = new Set(await feed.appendOnce(entries, lease));
      // Other game servers show each message once.
      const said = passed.flatMap(({ fact, entry }) =>
        fact.is === "said" && fresh.has(entry) ? [fact] : [],
      );
      await relay.relay(name, said);
    },
  };
}

/** Chat between game and website, and between game servers. */
export function createChatFeature(
  { api, clock, config: { messages }, log, rates, servers }: ServiceContext,
  own: {
    bans: Bans;
    elsewhere: PlayersElsewhere;
    feed: Feed;
    labelOf: LabelOf;
    links: Links;
    webChat: WebChat;
    /** audits changes by operators */
    store: Pick<WebChatStore, "subscribe">;
  },
): ServiceFeature & { chat: Chat } {
  const { bans, elsewhere, feed, webChat } = own;
  const chat = createChat({
    ...own,
    servers,
    format: messages["api.chat-format-from-web"],
    guest: messages["api.chat-guest-name"],
  });
  const isRelayed = api.chat.relay && !servers.isOne;
  const format = isRelayed ? messages["api.chat-format-from-server"] : undefined;
  const relay = createRelay({ rates, servers, format });
  return {
    chat,
    facts: server =>
      chatFacts({
        clock,
        relay,
        server,
        webChat,
        bans: bans.of(server),
        elsewhere: elsewhere.of(server),
        isOneOfSeveral: !servers.isOne,
      }),
    serve(http) {
      const chatRates = createChatRates(rates, api.limits);
      const sockets = createSockets({ ...http, api, chat, chatRates, clock, log, webChat, servers });
      own.store.subscribe(sockets.onWebChat);
      feed.onEvents(sockets.onEvents);
      feed.onRepeated(sockets.onEvents);
      return {
        routes: bound(chatRoutes, {}),
        onUpgrade: sockets.onUpgrade,
        gauges: [
          { name: "websocket_clients", help: "Open chat sockets", read: () => ({ value: sockets.count() }) },
        ],
        close: sockets.close,
      };
    },
  };
}
