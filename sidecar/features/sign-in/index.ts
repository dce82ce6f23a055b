import { bound } from "../../kernel/http/route.ts";
import type { ServiceFeature } from "../servers/game-server.ts";
import type { OpenSignInDeps } from "./provider/open.ts";
import type { ProviderRoutesDeps } from "./provider/routes.ts";
import { PROVIDER_PATHS } from "./provider-port.ts";
import { type SignInRoutesDeps, signInRoutes } from "./routes.ts";

/**
 * Sign-in to other sites. The provider is loaded only where sign-in is on.
 * @throws where the secrets of the provider are damaged
 */
export async function createSignInFeature(
  deps: OpenSignInDeps & Omit<SignInRoutesDeps & ProviderRoutesDeps, "refusals" | "signIn">,
): Promise<ServiceFeature> {
  const isOn = deps.config.signIn.enabled;
  const signIn = isOn ? await (await import("./provider/open.ts")).openSignIn(deps) : undefined;
  return {
    serve: ({ refusals }) => ({
      routes: bound(signInRoutes, { ...deps, refusals, signIn }),
      ...(signIn && {
        others: signIn.routes({ ...deps, refusals }),
        othersForAll: Object.values(PROVIDER_PATHS),
      }),
    }),
    ...(signIn && { stop: signIn.stop }),
  };
}
