import { createChatRates } from "./features/chat/socket/rates.ts";
import { createSockets, type SocketsDeps } from "./features/chat/socket/sockets.ts";
import { consoleFiles } from "./features/console/routes.ts";
import { createStreams } from "./features/feed/stream/streams.ts";
import type { OpenSignIn } from "./features/sign-in/index.ts";
import { PROVIDER_PATHS } from "./features/sign-in/provider-port.ts";
import { prepareSnapshots } from "./features/status/snapshot-answers.ts";
import { type ListenerDeps, type ListenerTools, prepareListener } from "./kernel/http/public.ts";
import { openApi, ROUTES, type RoutesDeps } from "./routes.ts";

/** What routes and sockets work with that is made here. */
type Made = keyof ListenerTools | "answersOf" | "chatRates" | "openApi" | "streams" | "signIn";

/** What the public service works with. */
export interface PublicDeps extends ListenerDeps, Omit<RoutesDeps & SocketsDeps, Made | keyof ListenerDeps> {
  /** undefined: other sites cannot ask who somebody is */
  signIn: OpenSignIn | undefined;
}

/** The public listener with all that it answers, not listening yet. */
export function createPublicService(deps: PublicDeps) {
  const { api, clock, feed, log, metrics, signIn, webChat, worlds } = deps;
  const { limits } = api;
  const prepared = prepareSnapshots(worlds, api.metricsRefreshInterval);
  const { tools, open } = prepareListener(deps);
  const streams = createStreams({
    ...{ clock, log, metrics, feed },
    pay: tools.admission.pay,
    hasChat: () => webChat.mode() !== "off",
    worlds: worlds.all.map(world => ({
      name: world.name,
      body: path => prepared.of(world)[path]()?.body,
    })),
    heartbeatMs: api.heartbeatInterval,
    places: { most: limits.eventClients, mostPerAddress: limits.eventClientsPerAddress },
    bufferBytes: limits.websocketBufferBytes,
  });
  for (const [place, { snapshots }] of worlds.all.entries())
    snapshots.onChange(() => streams.onSnapshot(place));
  const all = {
    ...{ ...deps, ...tools, streams },
    answersOf: prepared.of,
    chatRates: createChatRates(deps.rates, limits),
    openApi,
  };
  const sockets = createSockets(all);
  const listener = open({
    routes: ROUTES,
    deps: all,
    servers: worlds,
    others: { ...signIn?.routes(all), ...consoleFiles(all, signIn !== undefined) },
    othersForAll: signIn ? Object.values(PROVIDER_PATHS) : [],
    answerAtOnce: prepared.send,
    onUpgrade: sockets.onUpgrade,
  });
  return { ...listener, streams, sockets };
}
