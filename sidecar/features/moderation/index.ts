import type { Config } from "../../config/settings.ts";
import { bound } from "../../kernel/http/route.ts";
import type { Log } from "../../platform/log.ts";
import type { WebChat } from "../chat/web-chat.ts";
import type { Feed } from "../feed/feed.ts";
import type { ServiceFeature } from "../servers/world.ts";
import { type Announce, createAnnounce } from "./announce.ts";
import { auditFacts } from "./facts.ts";
import { moderationRoutes } from "./routes.ts";

/** Kicks and announcements; of several game servers, what is changed on one of them is in the audit. */
export function createModerationFeature(deps: {
  config: Pick<Config, "messages" | "modules">;
  feed: Feed;
  webChat: Pick<WebChat, "mode">;
  log: Log;
  /** for lines that only owners can cause */
  ownerLog: Log;
  isOneOfSeveral: boolean;
}): ServiceFeature & { announce: Announce } {
  const { messages, modules } = deps.config;
  const announce = createAnnounce({ ...deps, format: messages["api.announce-format"] });
  return {
    announce,
    ...(deps.isOneOfSeveral && { facts: ({ gameNote }) => auditFacts(gameNote) }),
    serve: ({ keys }) => ({
      routes: bound(moderationRoutes, { ...deps, api: modules.api, announce, keys }),
    }),
  };
}
