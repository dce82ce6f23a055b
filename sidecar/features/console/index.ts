import { bound } from "../../kernel/http/route.ts";
import type { ServiceContext } from "../context.ts";
import type { ServiceFeature } from "../servers/game-server.ts";
import { type ConsoleDeps, consoleFiles, settingsRoutes } from "./routes.ts";
import type { WebFile } from "./web-files.ts";

/** The web console, and the client for other pages. */
export const createConsoleFeature = (
  { api, config: { modules, signIn }, servers }: ServiceContext,
  own: Pick<ConsoleDeps, "logo" | "webChat"> & { webFiles: readonly WebFile[] },
): ServiceFeature => ({
  serve({ keys, moderators, trust }) {
    const deps = { ...own, api, keys, moderators, servers, web: modules.web };
    return {
      routes: bound(settingsRoutes, deps),
      others: consoleFiles({ ...deps, trust }, signIn.enabled),
    };
  },
});
