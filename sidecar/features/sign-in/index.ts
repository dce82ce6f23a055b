import type { Config } from "../../config/settings.ts";
import type { Shared } from "../../kernel/storage/ports/shared.ts";
import type { Log } from "../../platform/log.ts";
import type { Links } from "../linking/links.ts";
import type { Audit } from "../moderation/audit.ts";
import type { Sites } from "../sites/sites.ts";
import { createProvider } from "./provider/provider.ts";
import { type ProviderRoutesDeps, providerRoutes } from "./provider/routes.ts";
import type { SecretStore, SignInStore } from "./records.ts";
import { createSignIn } from "./sign-in.ts";

export type OpenSignIn = Awaited<ReturnType<typeof openSignIn>>;

/**
 * Puts together what sites ask. Nothing of it is loaded where they cannot.
 * @throws where the secrets of the provider are damaged
 */
export async function openSignIn(deps: {
  config: Pick<Config, "signIn" | "modules">;
  shared: Pick<Shared, "clock" | "time">;
  store: SignInStore & SecretStore;
  links: Links;
  sites: Sites;
  audit: Audit;
  log: Log;
}) {
  const { config, shared, store, log } = deps;
  const { clock, time } = shared;
  const signIn = createSignIn({ ...deps, time });
  const provider = await createProvider({
    ...{ clock, time, log, store, signIn },
    config: config.signIn,
    verificationMs: config.modules.api.verificationTimeout,
  });
  const access = { provider, signIn, issuer: config.signIn.issuer };
  return {
    ...access,
    /** Routes that are not described. */
    routes: (deps: ProviderRoutesDeps) => providerRoutes(deps, access),
    /** Looks for new keys no longer. */
    stop: provider.stop,
  };
}
