import { bound } from "../../kernel/http/route.ts";
import type { ServiceFeature } from "../servers/world.ts";
import type { OpenSignInDeps } from "./provider/open.ts";
import type { ProviderRoutesDeps } from "./provider/routes.ts";
import { PROVIDER_PATHS } from "./provider-port.ts";
import { type SignInRoutesDeps, signInRoutes } from "./routes.ts";

/**
 * Other sites ask who somebody is. What that takes is loaded where it is turned on, and nowhere else.
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
