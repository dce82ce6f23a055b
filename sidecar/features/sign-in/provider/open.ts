import type { Config } from "../../../config/settings.ts";
import type { Handlers } from "../../../kernel/http/route.ts";
import type { Clock, SharedTime } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { SecretStore, SignInStore } from "../records.ts";
import type { SignInAccess } from "../routes.ts";
import { createSignIn, type SignInDeps } from "../sign-in.ts";
import { createProvider } from "./provider.ts";
import { type ProviderRoutesDeps, providerRoutes } from "./routes.ts";

interface OpenSignInDeps extends SignInDeps {
  config: Pick<Config, "signIn" | "modules">;
  clock: Clock;
  time: SharedTime;
  store: SignInStore & SecretStore;
  log: Log;
}

interface OpenSignIn extends SignInAccess {
  /** Routes that are not described. */
  routes(deps: ProviderRoutesDeps): Record<string, Handlers>;
  /** Stops looking for new keys. */
  stop(): void;
}

/**
 * Opens sign-in with its provider.
 * @throws where the secrets of the provider are damaged
 */
export async function openSignIn(deps: OpenSignInDeps): Promise<OpenSignIn> {
  const { config, clock, time, store, log } = deps;
  const signIn = createSignIn(deps);
  const provider = await createProvider({
    clock,
    time,
    log,
    store,
    signIn,
    config: config.signIn,
    verificationMs: config.modules.api.verificationTimeout,
  });
  const access = { provider, signIn, issuer: config.signIn.issuer };
  return { ...access, routes: deps => providerRoutes(deps, access), stop: provider.stop };
}
