import type { Configuration, interactionPolicy, KoaContextWithOIDC } from "oidc-provider";
import type { SignInClient } from "../../../config/sign-in.ts";
import { PROVIDER_PATHS } from "../provider-port.ts";
import type { Jwk } from "../rules/secrets.ts";
import { nicknameOf } from "../rules/sign-in.ts";
import { CODE_MS, type SignIn, TOKEN_MS } from "../sign-in.ts";

/** How much longer grants are stored than their codes and tokens. */
const MARGIN_SECONDS = 60;

const seconds = (ms: number): number => Math.ceil(ms / 1_000);

/** Cookies of one sign-in. */
export const COOKIES = { interaction: "sign_in", resume: "sign_in_end", session: "sign_in_none" };

export const FRAMES: readonly string[] = ["iframe", "frame", "embed", "object", "fencedframe"];

/** Internal parameters, which no request can set: whether no page may be shown, and the only player who may sign in. */
export const [SILENT, SUBJECT] = ["x_silent", "x_subject"];

const WEB = /^https?:/;
/** An address of the machine itself, with its port. */
const LOOPBACK = /^(http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]))(:\d+)?(?=[/?]|$)/;

/** Whether an address, or an origin, is listed. An app on the player's machine listens at any port there: RFC 8252, section 7.3. */
export const isListed = (listed: readonly string[], uri: string): boolean =>
  listed.includes(uri) ||
  (LOOPBACK.test(uri) &&
    URL.canParse(uri) &&
    listed.some(each => each.replace(LOOPBACK, "$1") === uri.replace(LOOPBACK, "$1")));

/** Origins whose pages may use a client: those of its web redirect URIs. */
export const originsOf = ({ redirectUris }: { redirectUris: readonly string[] }): string[] =>
  redirectUris.filter(uri => WEB.test(uri)).map(uri => new URL(uri).origin);

const hasPage = (ctx: KoaContextWithOIDC): boolean => !FRAMES.includes(ctx.get("Sec-Fetch-Dest"));

/**
 * Configuration of the library: the code flow with PKCE, and nothing else. Every other feature is switched off by name, so that a
 * version that turns one on by default changes nothing.
 */
export function settingsOf(deps: {
  issuer: string;
  clients: readonly SignInClient[];
  signIn: Pick<SignIn, "holder">;
  keys: Jwk[];
  cookieKeys: string[];
  policy: interactionPolicy.Prompt[];
  /** how long a sign-in may take, in milliseconds */
  askMs: number;
  adapter: NonNullable<Configuration["adapter"]>;
  renderError: NonNullable<Configuration["renderError"]>;
}): Configuration {
  const { issuer, clients, signIn, keys, cookieKeys, policy, askMs, adapter, renderError } = deps;
  const strict = { httpOnly: true, sameSite: "strict", signed: true } as const;
  const off = { enabled: false } as const;
  return {
    adapter,
    renderError,
    clients: clients.map(({ id, name, redirectUris, secretSha256 }) => ({
      client_id: id,
      client_name: name,
      redirect_uris: redirectUris,
      application_type: redirectUris.every(uri => WEB.test(uri)) ? ("web" as const) : ("native" as const),
      grant_types: ["authorization_code"],
      response_types: ["code"],
      require_auth_time: true,
      // `compareClientSecret` hashes what the client sends before it compares.
      ...(secretSha256 === undefined
        ? { token_endpoint_auth_method: "none" as const }
        : { token_endpoint_auth_method: "client_secret_basic" as const, client_secret: secretSha256 }),
    })),
    clientAuthMethods: ["client_secret_basic", "client_secret_post", "none"],
    jwks: { keys: keys.map(({ kty = "RSA", ...key }) => ({ kty, ...key })) },
    routes: {
      authorization: PROVIDER_PATHS.authorize,
      token: PROVIDER_PATHS.token,
      userinfo: PROVIDER_PATHS.userinfo,
      jwks: PROVIDER_PATHS.keys,
    },
    // The library requires these attributes of its session cookie, which is never sent.
    cookies: { names: COOKIES, keys: cookieKeys, short: strict, long: { ...strict, sameSite: "none" } },
    enableHttpPostMethods: true,
    scopes: ["openid", "profile"],
    claims: { openid: ["sub"], profile: ["name", "preferred_username", "nickname"] },
    acrValues: [],
    subjectTypes: ["public"],
    conformIdTokenClaims: false,
    responseTypes: ["code"],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    acceptQueryParamAccessTokens: false,
    expiresWithSession: () => false,
    clientBasedCORS: (_ctx, origin, { redirectUris = [] }) => isListed(originsOf({ redirectUris }), origin),
    fetch: async () => {
      throw new Error("the sign-in provider makes no network requests");
    },
    features: {
      devInteractions: off,
      registration: off,
      registrationManagement: off,
      pushedAuthorizationRequests: off,
      dPoP: off,
      resourceIndicators: off,
      rpInitiatedLogout: off,
      backchannelLogout: off,
      revocation: off,
      introspection: off,
      jwtIntrospection: off,
      jwtUserinfo: off,
      jwtResponseModes: off,
      requestObjects: off,
      claimsParameter: off,
      clientCredentials: off,
      deviceFlow: off,
      ciba: off,
      mTLS: off,
      encryption: off,
      fapi: off,
      richAuthorizationRequests: off,
      userinfo: { enabled: true },
    },
    ttl: {
      AccessToken: seconds(TOKEN_MS),
      AuthorizationCode: seconds(CODE_MS),
      Grant: seconds(TOKEN_MS + CODE_MS) + MARGIN_SECONDS,
      IdToken: seconds(TOKEN_MS),
      Interaction: seconds(askMs),
      Session: MARGIN_SECONDS,
    },
    interactions: { policy, url: (_ctx, { uid }) => `${issuer}/sign-in/ask/${uid}` },
    extraParams: {
      // Runs after all checks of the library, and replaces parameters of the request with these names.
      [SILENT](ctx) {
        const { params, entities } = ctx.oidc;
        if (params === undefined) return;
        const isSilent = params.prompt === "none" && hasPage(ctx);
        if (isSilent) params.prompt = undefined;
        params[SILENT] = isSilent ? "yes" : undefined;
        params[SUBJECT] = subjectOf(entities.IdTokenHint);
      },
      [SUBJECT]: null,
    },
    async findAccount(ctx, uuid, token) {
      const { oidc } = ctx;
      const grant = token && "grantId" in token ? token.grantId : oidc.result?.consent?.grantId;
      const site = oidc.client?.clientId ?? (token && "clientId" in token ? token.clientId : undefined);
      if (grant === undefined || site === undefined) return undefined;
      const holder = await signIn.holder(grant, site);
      if (holder?.player.uuid !== uuid) return undefined;
      const { name } = holder;
      const claims = { sub: uuid, name, preferred_username: name, nickname: nicknameOf(name, uuid) };
      return { accountId: uuid, claims: async () => claims };
    },
  };
}

/** The subject of an `id_token_hint`. */
function subjectOf(hint: unknown): string | undefined {
  const payload = typeof hint === "object" && hint !== null && "payload" in hint ? hint.payload : undefined;
  const sub = typeof payload === "object" && payload !== null && "sub" in payload ? payload.sub : undefined;
  return typeof sub === "string" ? sub : undefined;
}
