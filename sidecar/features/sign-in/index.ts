import { bound } from "../../kernel/http/route.ts";
import type { WebFile } from "../console/web-files.ts";
import type { ServiceContext } from "../context.ts";
import type { Links } from "../linking/links.ts";
import type { ServiceFeature } from "../servers/game-server.ts";
import type { Sites } from "../sites/sites.ts";
import { PROVIDER_PATHS } from "./provider-port.ts";
import type { SecretStore, SignInStore } from "./records.ts";
import { signInRoutes } from "./routes.ts";

/**
 * Sign-in to other sites. The provider is loaded only where sign-in is on.
 * @throws where the secrets of the provider are damaged
 */
export async function createSignInFeature(
  service: ServiceContext,
  own: {
    store: SignInStore & SecretStore;
    links: Links;
    sites: Sites;
    webFiles: readonly WebFile[];
    logo: WebFile | undefined;
  },
): Promise<ServiceFeature> {
  const deps = { ...service, ...own, web: service.config.modules.web };
  const isOn = service.config.signIn.enabled;
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
