import type { Links } from "./app/links.ts";
import { createSignIn } from "./app/sign-in.ts";
import type { Sites } from "./app/sites.ts";
import type { Config } from "./config/settings.ts";
import type { PublicDeps } from "./http/routes/deps.ts";
import { createProvider } from "./http/sign-in/provider.ts";
import { signInRoutes } from "./http/sign-in/routes.ts";
import type { Shared } from "./ports/shared.ts";
import type { Audit, Log } from "./ports.ts";

/**
 * Puts together what sites ask. Nothing of it is loaded where they cannot.
 * @throws where the secrets of the provider are damaged
 */
export async function openSignIn(deps: {
  config: Pick<Config, "signIn" | "modules">;
  shared: Pick<Shared, "clock" | "time" | "signIn">;
  links: Links;
  sites: Sites;
  audit: Audit;
  log: Log;
}) {
  const { config, shared, log } = deps;
  const { clock, time, signIn: store } = shared;
  const signIn = createSignIn({ ...deps, time, store });
  const provider = await createProvider({
    ...{ clock, time, log, store, signIn },
    config: config.signIn,
    verificationMs: config.modules.api.verificationTimeout,
  });
  const own = { provider, signIn, issuer: config.signIn.issuer };
  return {
    routes: (more: PublicDeps) => signInRoutes({ ...more, ...own }),
    /** Looks for new keys no longer. */
    stop: provider.stop,
  };
}
