import { bound } from "../../kernel/http/route.ts";
import type { ServiceFeature } from "../servers/game-server.ts";
import { type ConsoleDeps, consoleFiles, settingsRoutes } from "./routes.ts";
import type { WebFile } from "./web-files.ts";

/** The web console, and the client for other pages. */
export const createConsoleFeature = (
  deps: Omit<ConsoleDeps, "keys"> & {
    webFiles: readonly WebFile[];
    hasSignIn: boolean;
  },
): ServiceFeature => ({
  serve: ({ keys, trust }) => ({
    routes: bound(settingsRoutes, { ...deps, keys }),
    others: consoleFiles({ ...deps, keys, trust }, deps.hasSignIn),
  }),
});
