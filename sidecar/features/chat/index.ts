import type { Config } from "../../config/settings.ts";
import { bound } from "../../kernel/http/route.ts";
import type { Rates } from "../../kernel/storage/ports.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Bans } from "../bans/bans.ts";
import type { Feed } from "../feed/feed.ts";
import type { Links } from "../linking/links.ts";
import type { PlayersElsewhere } from "../servers/elsewhere.ts";
import type { GameServers, ServiceFeature } from "../servers/game-server.ts";
import { type Chat, createChat } from "./chat.ts";
import { chatFacts } from "./facts.ts";
import type { LabelOf } from "./labels.ts";
import type { WebChatStore } from "./records.ts";
import { createRelay } from "./relay.ts";
import { chatRoutes } from "./routes.ts";
import { createChatRates } from "./socket/rates.ts";
import { createSockets } from "./socket/sockets.ts";
import type { WebChat } from "./web-chat.ts";

/** Chat between the game and the web, and from one game server to the others. */
export function createChatFeature(deps: {
  config: Pick<Config, "messages" | "modules">;
  clock: Clock;
  log: Log;
  rates: Rates;
  servers: GameServers;
  bans: Bans;
  elsewhere: PlayersElsewhere;
  feed: Feed;
  labelOf: LabelOf;
  links: Links;
  webChat: WebChat;
  /** reports changes by operators */
  webChatStore: Pick<WebChatStore, "subscribe">;
}): ServiceFeature & { chat: Chat } {
  const { clock, log, rates, servers, bans, elsewhere, feed, webChat } = deps;
  const { messages, modules } = deps.config;
  const { api } = modules;
  const chat = createChat({
    ...deps,
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
        bans: bans.of(server.name),
        elsewhere: elsewhere.of(server.name),
        isOneOfSeveral: !servers.isOne,
      }),
    serve(http) {
      const chatRates = createChatRates(rates, api.limits);
      const sockets = createSockets({ ...http, api, chat, chatRates, clock, log, webChat, servers });
      deps.webChatStore.subscribe(sockets.onWebChat);
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
