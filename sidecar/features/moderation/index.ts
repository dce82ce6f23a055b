import type { FactHandlers } from "../../kernel/bridge/facts.ts";
import { perServer } from "../../kernel/feature.ts";
import { bound } from "../../kernel/http/route.ts";
import type { WebChat } from "../chat/web-chat.ts";
import type { ServiceContext } from "../context.ts";
import type { Feed } from "../feed/feed.ts";
import type { ServiceFeature } from "../servers/game-server.ts";
import { type Announce, createAnnounce } from "./announce.ts";
import { type AuditGameChange, type AuditReader, createAuditChange } from "./audit.ts";
import { auditRoutes } from "./audit-routes.ts";
import { createKick, type Kicks } from "./kick.ts";
import { muteRoutes } from "./mute-routes.ts";
import { createMutes, type Mutes } from "./mutes.ts";
import { permissionRoutes } from "./permission-routes.ts";
import { moderationRoutes } from "./routes.ts";

const auditFacts = (auditGameChange: AuditGameChange): FactHandlers => ({
  async chose({ player: { name }, hidden, blocked }) {
    if (hidden !== undefined)
      await auditGameChange(
        { action: hidden ? "player.hide" : "player.show", name },
        name,
        hidden ? "hidden" : "shown",
      );
    if (blocked !== undefined)
      await auditGameChange(
        { action: blocked ? "player.block" : "player.unblock", name },
        name,
        blocked ? "blocked" : "unblocked",
      );
  },
  forgot: ({ player: { name } }) => auditGameChange({ action: "player.forget", name }, name, "forgotten"),
  "unlinked-by-player": ({ player: { name } }) =>
    auditGameChange({ action: "link.end", name }, name, "unlinked"),
  async webchat({ mode, by }) {
    if (mode) await auditGameChange({ action: "webchat.set", name: mode }, by?.name, "set");
  },
  mute: ({ isMuted, browser: name, by }) =>
    isMuted
      ? auditGameChange({ action: "browser.mute", name }, by?.name, "muted")
      : auditGameChange({ action: "browser.unmute", name }, by?.name, "unmuted"),
});

/** Kicks, mutes, announcements and the audit. */
export function createModerationFeature(
  service: ServiceContext,
  {
    feed,
    webChat,
    auditReader,
  }: { feed: Feed; webChat: Pick<WebChat, "mode" | "mute" | "mutes" | "unmute">; auditReader: AuditReader },
): ServiceFeature & { announce: Announce; mutes: Mutes; kicksOf(server: { name: string }): Kicks } {
  const { audit, clock, config, servers } = service;
  const announce = createAnnounce({ feed, webChat, format: config.messages["api.announce-format"] });
  const kicksOf = perServer(servers.all, ({ game, connections, auditChange }) =>
    createKick({ clock, game, connections, auditChange }),
  );
  const mutes = createMutes({ webChat, auditChange: createAuditChange({ audit, clock, tag: {} }) });
  return {
    announce,
    kicksOf,
    mutes,
    ...(!servers.isOne && { facts: ({ auditGameChange }) => auditFacts(auditGameChange) }),
    serve: http => ({
      routes: bound([...moderationRoutes, ...muteRoutes, ...auditRoutes, ...permissionRoutes], {
        ...service,
        ...http,
        announce,
        auditReader,
        kicksOf,
        mutes,
      }),
    }),
  };
}
