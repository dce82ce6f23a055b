import type { IncomingHttpHeaders } from "node:http";
import type { Request, Response } from "express";
import type * as Library from "oidc-provider";
import type { Config } from "../../../config/settings.ts";
import { COMMON_HEADERS } from "../../../kernel/http/answer.ts";
import { isSecretOf } from "../../../kernel/http/keys.ts";
import { requestIdHeader } from "../../../kernel/http/request-id.ts";
import type { Clock, SharedTime } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { printable } from "../../../platform/throttled-log.ts";
import {
  type PendingSignIn,
  PROVIDER_PATHS,
  type Provider,
  type ProviderEvents,
  type SignInOutcome,
} from "../provider-port.ts";
import type { SecretStore, SignInStore } from "../records.ts";
import { cookieKeysAt, keysAt } from "../rules/secrets.ts";
import { openSecrets, readSecrets } from "../secrets.ts";
import type { SignIn } from "../sign-in.ts";
import { createAdapters } from "./adapter.ts";
import { COOKIES, isListed, originsOf, SILENT, SUBJECT, settingsOf } from "./settings.ts";

/** How often the provider looks for new keys, in milliseconds. */
const LOOK_MS = 60_000;
/** How long a sign-in may take at least, in milliseconds, and besides the time that a player has to answer. */
const [MIN_MS, MORE_MS] = [15 * 60_000, 5 * 60_000];

/** Paths that only pages of a redirect URI's origin may read. */
const CLIENT_PATHS: readonly string[] = [PROVIDER_PATHS.token, PROVIDER_PATHS.userinfo];

type Engine = InstanceType<(typeof Library)["default"]>;
const TOKEN_REJECTED = "Rejected a token request of a site";
const SIGN_IN_REJECTED = "Rejected a sign-in request of a site";

type StoredInteraction = Awaited<ReturnType<Engine["interactionDetails"]>>;

/**
 * The provider of sign-ins, by `oidc-provider`, which is loaded here and nowhere else.
 * @throws where its secrets are damaged
 */
export async function createProvider(deps: {
  config: Config["signIn"];
  clock: Clock;
  time: SharedTime;
  log: Log;
  store: SignInStore & SecretStore;
  signIn: Pick<SignIn, "holder">;
  /** life of a link request in milliseconds */
  verificationMs: number;
}): Promise<Provider> {
  const { config, clock, time, log, store, signIn } = deps;
  const { issuer, clients } = config;
  const { protocol, host, pathname } = new URL(issuer);
  const prefix = pathname === "/" ? "" : pathname;
  const answering = new WeakMap<object, ProviderEvents>();
  const origins = clients.flatMap(originsOf);

  /** The client id for the log, unless it is a secret in the wrong field. */
  function clientForLog(id: unknown): string | undefined {
    const isSecret = clients.some(({ secretSha256 = "" }) => isSecretOf(`${id}`, secretSha256));
    return id === undefined || isSecret ? undefined : printable(`${id}`);
  }

  async function engineOf(stored: string, library: typeof Library): Promise<Engine> {
    const secrets = readSecrets(stored);
    const { default: Provider, errors, interactionPolicy } = library;
    const { Check, Prompt } = interactionPolicy;
    // The page of `form_post` would need scripts that are not the service's own.
    class Engine extends Provider {
      override registerResponseMode(name: string, ...how: unknown[]): void {
        if (name !== "form_post") Reflect.apply(super.registerResponseMode, this, [name, ...how]);
      }
    }
    // The page decides each time: its result in this sign-in counts as long as the link lasts.
    const playerCheck = new Check(
      "page",
      "the player has to confirm in the game",
      "login_required",
      async ({ oidc, req }) => {
        if (oidc.result?.login !== undefined && oidc.account !== undefined) return Check.NO_NEED_TO_PROMPT;
        // With `prompt=none` the library answers with an error. Otherwise the sign-in is stored, even one that has lost its link.
        if (!oidc.prompts.has("none")) await answering.get(req)?.begin();
        return Check.REQUEST_PROMPT;
      },
    );
    // Errors of the service, by request; they replace what the library responds.
    const failed = new WeakMap<object, unknown>();
    const settings = settingsOf({
      issuer,
      clients,
      signIn,
      keys: keysAt(secrets, time()),
      cookieKeys: cookieKeysAt(secrets, time()),
      policy: [
        new Prompt({ name: "login", requestable: true }, playerCheck),
        new Prompt({ name: "consent", requestable: true }),
        new Prompt({ name: "select_account", requestable: true }),
      ],
      askMs: Math.max(MIN_MS, deps.verificationMs + MORE_MS),
      adapter: createAdapters(store, clients, errors),
      renderError(ctx, { error, error_description }, fault) {
        const { status } = ctx;
        ctx.respond = false;
        onlyOwnCookies(ctx.res);
        if (status >= 500) failed.set(ctx.req, fault);
        else answering.get(ctx.req)?.refuse(status, error, error_description);
      },
    });
    const engine = new Engine(issuer, settings);
    engine.proxy = true;
    engine.Client.prototype.compareClientSecret = function compare(given) {
      return isSecretOf(given, this.clientSecret ?? "");
    };
    engine.Client.prototype.redirectUriAllowed = function allowed(uri) {
      return isListed(this.redirectUris ?? [], uri);
    };
    engine.on("grant.error", ({ oidc, headers }, { error, error_description, error_detail }) => {
      const id = oidc.client?.clientId ?? oidc.params?.client_id ?? basicUser(headers.authorization);
      log.warn({ client: clientForLog(id), error, why: error_detail ?? error_description }, TOKEN_REJECTED);
    });
    engine.on("authorization.error", ({ oidc: { params } }, { error, error_description, error_detail }) => {
      // Decisions of the player, and the end of an unknown sign-in, are no fault of the site.
      if (params === undefined || error in WHY) return;
      const { client_id, redirect_uri } = params;
      const redirect = typeof redirect_uri === "string" ? printable(redirect_uri) : undefined;
      const why = error_detail ?? error_description;
      log.warn({ client: clientForLog(client_id), redirect, error, why }, SIGN_IN_REJECTED);
    });
    engine.on("server_error", (ctx, error) => void failed.set(ctx.req, error));
    engine.silent = true;
    engine.use(async (ctx, next) => {
      await next().catch((error: unknown) => void failed.set(ctx.req, error));
      onlyOwnCookies(ctx.res);
      // For a preflight, and for a request without a client, the library does not know the client in time.
      if (CLIENT_PATHS.some(path => ctx.path.endsWith(path)) && !isListed(origins, ctx.get("Origin")))
        for (const name of ctx.res.getHeaderNames()) if (name.startsWith("access-control-")) ctx.remove(name);
      if (ctx.path.endsWith("openid-configuration")) onlyWhatIs(ctx.body);
      if (!failed.has(ctx.req)) return;
      ctx.respond = false;
      for (const name of ctx.res.getHeaderNames()) ctx.res.removeHeader(name);
      answering.get(ctx.req)?.fail(failed.get(ctx.req));
    });
    return engine;
  }

  const said: string[] = [];
  const library = await quietly(() => import("oidc-provider"), said);
  let stored = await openSecrets(store, Math.round(time()), log);
  let engine = await quietly(() => engineOf(stored, library), said);
  let signingKeys = keysAt(readSecrets(stored), time());
  for (const notice of said) log.warn({ notice, node: process.version }, "Notice from the sign-in library");

  async function look(): Promise<void> {
    const now = await store.secrets();
    const keys = keysAt(readSecrets(now), time());
    const isSame =
      now === stored && keys.map(({ kid }) => kid).join() === signingKeys.map(({ kid }) => kid).join();
    if (isSame) return;
    engine = await engineOf(now, library);
    [stored, signingKeys] = [now, keys];
    log.info({}, "Loaded new sign-in keys");
  }
  const stop = clock.every(LOOK_MS, () => {
    look().catch((error: unknown) => log.warn({ error }, "Could not check for new sign-in keys"));
  });

  /** Gives a request the headers of the issuer's address, from which the library makes its URLs. */
  function readdress(req: Request, cookies: readonly string[]): void {
    const { headers } = req;
    headers["x-forwarded-proto"] = protocol.slice(0, -1);
    headers["x-forwarded-host"] = host;
    keepCookies(headers, cookies);
    req.originalUrl = `${prefix}${req.url}`;
  }

  async function interaction(req: Request, res: Response, uid: string) {
    try {
      const found = await engine.interactionDetails(req, res);
      return found.uid === uid ? found : undefined;
    } catch (error) {
      if (error instanceof library.errors.SessionNotFound) return undefined;
      throw error;
    } finally {
      onlyOwnCookies(res);
    }
  }

  return {
    handle(req, res, events) {
      answering.set(req, events);
      // Only what ends a sign-in needs to know that it is the browser which began it.
      readdress(req, req.params.uid === undefined ? [] : [COOKIES.resume]);
      for (const [name, value] of Object.entries({ ...COMMON_HEADERS, ...requestIdHeader(req) }))
        res.setHeader(name, value);
      engine
        .callback()(req, res)
        .catch((error: unknown) => events.fail(error));
    },
    async find(uid) {
      const found = await engine.Interaction.find(uid);
      return found && { isSilent: isSilent(found.params) };
    },
    async pending(req, res, uid) {
      const found = await interaction(req, res, uid);
      return found && pendingSignIn(found);
    },
    async finish(req, res, uid, outcome) {
      const found = await interaction(req, res, uid);
      if (found === undefined) return undefined;
      const result = await resultOf(outcome, found.params);
      const end = await engine.interactionResult(req, res, result, { mergeWithLastSubmission: false });
      onlyOwnCookies(res);
      return end;
    },
    stop,
  };

  async function resultOf(
    outcome: SignInOutcome,
    { client_id, scope }: Record<string, unknown>,
  ): Promise<Library.InteractionResults> {
    if ("error" in outcome) return { error: outcome.error, error_description: WHY[outcome.error] };
    const { uuid: accountId, acceptedAt } = outcome;
    const grant = new engine.Grant({ accountId, clientId: `${client_id}` });
    grant.jti = outcome.grant;
    grant.addOIDCScope(`${scope}`);
    await grant.save();
    const ts = Math.floor(acceptedAt / 1_000);
    return {
      login: { accountId, ts, remember: false },
      consent: { grantId: outcome.grant },
      select_account: {},
    };
  }
}

const WHY = {
  access_denied: "the player cancelled, or is not allowed to sign in",
  login_required: "the player has to confirm in the game",
  consent_required: "the player has not agreed to sign in to this site",
};

const isSilent = (params: Record<string, unknown>): boolean => params[SILENT] === "yes";

/** A sign-in by its parameters, which the library has checked. */
function pendingSignIn({ uid, params, result, returnTo }: StoredInteraction): PendingSignIn {
  const words = (name: string): string[] => `${params[name] ?? ""}`.split(" ");
  const subject = params[SUBJECT];
  return {
    site: `${params.client_id}`,
    ask: uid,
    isFresh: words("prompt").includes("login"),
    maxAgeMs: params.max_age === undefined ? undefined : Number(params.max_age) * 1_000,
    subject: typeof subject === "string" ? subject : undefined,
    isSilent: isSilent(params),
    host: hostOf(`${params.redirect_uri}`),
    withName: words("scope").includes("profile"),
    end: result === undefined ? undefined : returnTo,
  };
}

/** The host that a visitor sees for a redirect address; an app has none: its scheme. */
function hostOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1);
}

/** The user in an `Authorization` header of HTTP Basic. */
function basicUser(header: string | undefined): string | undefined {
  const [, base64 = ""] = /^basic +(\S+)$/i.exec(header ?? "") ?? [];
  return /^([^:]+):/.exec(Buffer.from(base64, "base64").toString())?.[1];
}

/** Leaves only cookies of these names, and their signatures. */
function keepCookies(headers: IncomingHttpHeaders, names: readonly string[]): void {
  const pairs = (headers.cookie ?? "")
    .split(";")
    .map(pair => pair.trim())
    .filter(pair => names.some(name => pair.startsWith(`${name}=`) || pair.startsWith(`${name}.sig=`)));
  if (pairs.length > 0) headers.cookie = pairs.join("; ");
  else delete headers.cookie;
}

/** Drops cookies of the library's own session, which is not used. */
function onlyOwnCookies(res: {
  getHeader(name: string): unknown;
  setHeader(name: string, value: string[]): void;
  removeHeader(name: string): void;
}): void {
  const cookies = res.getHeader("Set-Cookie");
  if (!Array.isArray(cookies)) return;
  const strict = cookies.map(String).filter(each => /; samesite=strict/i.test(each));
  if (strict.length > 0) res.setHeader("Set-Cookie", strict);
  else res.removeHeader("Set-Cookie");
}

/** Corrects the discovery document: only one response mode is on. */
function onlyWhatIs(description: unknown): void {
  if (typeof description === "object" && description !== null)
    Object.assign(description, { response_modes_supported: ["query"] });
}

/** Collects the library's console output during a call. */
async function quietly<T>(step: () => Promise<T>, said: string[]): Promise<T> {
  const { warn, info } = console;
  const note = (...words: unknown[]): void => void said.push(words.join(" "));
  Object.assign(console, { warn: note, info: note });
  try {
    return await step();
  } finally {
    Object.assign(console, { warn, info });
  }
}
