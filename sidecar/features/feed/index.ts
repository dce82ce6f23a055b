import { bound } from "../../kernel/http/route.ts";
import type { WebChat } from "../chat/web-chat.ts";
import type { ServiceContext } from "../context.ts";
import type { ServiceFeature } from "../servers/game-server.ts";
import type { SnapshotAnswers } from "../status/snapshot-answers.ts";
import { createFeed, type Feed } from "./feed.ts";
import type { FeedLog } from "./feed-log.ts";
import { feedRoutes } from "./routes.ts";
import { createStreams } from "./stream/streams.ts";

/** Present and past events for readers of `GET /events`. */
export async function createFeedFeature(
  { api, clock, log, servers }: ServiceContext,
  own: {
    feedLog: FeedLog;
    webChat: Pick<WebChat, "mode">;
    answers: Pick<SnapshotAnswers, "of">;
  },
): Promise<ServiceFeature & { feed: Feed }> {
  const { webChat, answers } = own;
  const { limits } = api;
  const bounds = { entries: api.events.keep, forMs: api.events.keepFor };
  const feed = await createFeed({ clock, log: own.feedLog, bounds });
  return {
    feed,
    stop: feed.stop,
    serve(http) {
      const streams = createStreams({
        clock,
        log,
        feed,
        metrics: http.metrics,
        pay: http.admission.chargeBytes,
        hasChat: () => webChat.mode() !== "off",
        servers: servers.all.map(server => ({
          name: server.name,
          body: path => answers.of(server)[path]()?.body,
        })),
        heartbeatMs: api.heartbeatInterval,
        limits: { most: limits.eventClients, mostPerAddress: limits.eventClientsPerAddress },
        bufferBytes: limits.websocketBufferBytes,
      });
      for (const [place, { snapshots }] of servers.all.entries())
        snapshots.onChange(() => streams.onSnapshot(place));
      return {
        routes: bound(feedRoutes, { ...http, feed, streams, webChat, servers }),
        gauges: [
          { name: "event_streams", help: "Open event streams", read: () => ({ value: streams.count() }) },
        ],
        close: streams.close,
      };
    },
  };
}
