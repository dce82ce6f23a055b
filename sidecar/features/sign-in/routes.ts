import type { Request, Response } from "express";
import { object, text } from "../../../shared/guard.ts";
import { ID_LENGTH } from "../../../shared/limits.ts";
import type { Result } from "../../../shared/result.ts";
import { type Answer, json } from "../../kernel/http/answer.ts";
import { addressKey } from "../../kernel/http/client-address.ts";
import { pathParameter, WITHOUT_GAME } from "../../kernel/http/description.ts";
import { errorAnswer, errorWith } from "../../kernel/http/errors.ts";
import { originOf } from "../../kernel/http/origin.ts";
import { type Auth, route, routes } from "../../kernel/http/route.ts";
import { readSession } from "../../kernel/http/session.ts";
import {
  createLinkRequestHandler,
  LINK_REQUEST_ANSWERS,
  type LinkRequestDeps,
  linkRequest,
} from "../linking/routes.ts";
import type { Sites } from "../sites/sites.ts";
import type { PendingSignIn, Provider, SignInOutcome } from "./provider-port.ts";
import type { SignIn } from "./sign-in.ts";

// Calls of the page of a sign-in. Those of other sites follow OpenID Connect.

/** Sign-in, where it is on. */
export interface SignInAccess {
  provider: Provider;
  signIn: SignIn;
  /** address under which browsers reach the service */
  issuer: string;
}

export interface SignInRoutesDeps extends LinkRequestDeps {
  /** undefined: sign-in is off */
  signIn: SignInAccess | undefined;
  sites: Sites;
}

/** The detail of 404 for a sign-in that is over. */
export const SIGN_IN_OVER = {
  field: "uid",
  message: "This sign-in has expired, or was started in another browser.",
};
const OWN_PAGE_ONLY = "Only the service's own sign-in page may make this call. Nothing was done.";

/** A sign-in, and the session of the browser that began it. */
interface BrowserSignIn {
  pending: PendingSignIn;
  session: string | undefined;
}

interface SessionSignIn extends BrowserSignIn {
  session: string;
}

type AdmissionResult<T> = Result<T, Answer>;

/** Finds the sign-in of a request that comes from the sign-in page, in the browser that began the sign-in. */
export function createSignInFinder(
  { api }: Pick<LinkRequestDeps, "api">,
  { provider, issuer }: Pick<SignInAccess, "provider" | "issuer">,
): (req: Request, res: Response) => Promise<AdmissionResult<BrowserSignIn>> {
  const ownOrigin = new URL(issuer).origin;

  /** Whether the request comes from the service's own page: `cors-origins` do not count. */
  function isOwnPage({ method, headers: { origin, "sec-fetch-site": from } }: Request): boolean {
    if (origin !== undefined) return originOf(origin) === ownOrigin;
    return method !== "POST" && (from === undefined || from === "same-origin");
  }

  return async (req, res) => {
    if (!isOwnPage(req)) return { fault: errorWith("origin_not_allowed", { message: OWN_PAGE_ONLY }) };
    const pending = await provider.pending(req, res, `${req.params.uid}`);
    if (pending === undefined) return { fault: errorWith("not_found", SIGN_IN_OVER) };
    const session = readSession(req, api.sessionCookie.name);
    return { value: { pending, session: "value" in session ? session.value : undefined } };
  };
}

/** For the page of a sign-in; `narrow` says what the call needs besides. */
const forPage = <T extends object>(
  scheme: "session" | "maybeSession",
  narrow: (found: BrowserSignIn) => AdmissionResult<T>,
): Auth<T, SignInRoutesDeps> => ({
  scheme: () => scheme,
  admit(deps) {
    const find = deps.signIn && createSignInFinder(deps, deps.signIn);
    return async (req, res) => {
      const found = (await find?.(req, res)) ?? { fault: errorAnswer("not_found") };
      return "fault" in found ? found : narrow(found.value);
    };
  },
});

const withSession = ({ pending, session }: BrowserSignIn): AdmissionResult<SessionSignIn> =>
  session === undefined ? { fault: errorAnswer("missing_session") } : { value: { pending, session } };

/** A sign-in that has ended is not decided again: the browser may have missed the answer. */
const stillOpen = (found: BrowserSignIn): AdmissionResult<BrowserSignIn> =>
  found.pending.end === undefined ? { value: found } : { fault: json({ location: found.pending.end }) };

function openWithSession(found: BrowserSignIn): AdmissionResult<SessionSignIn> {
  const open = stillOpen(found);
  return "fault" in open ? open : withSession(open.value);
}

/** For a sign-in that has ended, no request is sent. */
function withSessionAndNotEnded(found: BrowserSignIn): AdmissionResult<SessionSignIn> {
  const known = withSession(found);
  return "value" in known && known.value.pending.end !== undefined
    ? { fault: errorWith("not_found", SIGN_IN_OVER) }
    : known;
}

/** Ends a sign-in; answers the address of its site. */
async function end(
  { provider }: SignInAccess,
  req: Request,
  res: Response,
  ask: string,
  outcome: SignInOutcome,
) {
  const location = await provider.finish(req, res, ask, outcome);
  return location === undefined ? errorWith("not_found", SIGN_IN_OVER) : json({ location });
}

const goOnRequest = object({ uuid: text(ID_LENGTH, 1) });

const parameters = [
  pathParameter("uid", "Id of the sign-in, from the address of its page.", "PZm0cXhu5rXo3kWv9sJ2q"),
];
const ENDED = { 200: { description: "Where the browser continues.", body: "SignInEnd" } } as const;

export const signInRoutes = routes("Signing in", {
  getSignIn: route(
    "GET /sign-in/ask/{uid}/state",
    {
      summary: "The state of a sign-in of this browser",
      description: `For the sign-in page, on the service's own origin; the browser has to send the cookies of the sign-in. Repeat the request every second or two while \`status\` is \`waiting\`. ${WITHOUT_GAME}`,
      auth: forPage("session", withSession),
      parameters,
      answers: { 200: { description: "The sign-in.", body: "SignInState" } },
      errors: ["not_found", "unexpected_result", "server_unavailable"],
    },
    ({ signIn: access, sites }: SignInRoutesDeps) =>
      access &&
      (async ({ pending, session }) => {
        const now = await access.signIn.state(session, pending);
        return json({
          site: { id: pending.site, name: sites.siteName(pending.site), host: pending.host },
          status: now.status,
          player: now.player,
          asked: now.asked ?? null,
          ...(now.reason !== undefined && { reason: now.reason }),
          alike: now.reason === "same_characters",
          leftMs: now.until === undefined ? null : access.signIn.until(now.until),
          withName: pending.withName,
          silent: pending.isSilent,
        });
      }),
  ),
  askForSignIn: route(
    "POST /sign-in/ask/{uid}/player",
    {
      ...LINK_REQUEST_ANSWERS,
      summary: "Send a sign-in request to a player in the game",
      description:
        "Like `POST /link-player`, with the name of the site in the form: accepting also links this browser. A player who is linked to this browser already stays linked, even if they decline.",
      rate: "counted with the requests of `POST /link-player`.",
      auth: forPage("session", withSessionAndNotEnded),
      parameters,
      body: ["LinkRequest", linkRequest],
      errors: ["missing_username", "player_offline", "not_found", "unexpected_result", "server_unavailable"],
    },
    (deps: SignInRoutesDeps) => {
      const send = createLinkRequestHandler(deps);
      return (
        deps.signIn &&
        (({ req, pending, session, body }) =>
          send(req, session, body, { site: pending.site, ask: pending.ask }))
      );
    },
  ),
  signInAs: route(
    "POST /sign-in/ask/{uid}/go-on",
    {
      summary: "Continue to the site as the linked player",
      description: `The site learns who the player is, now and in later sign-ins. ${WITHOUT_GAME}`,
      auth: forPage("session", openWithSession),
      parameters,
      body: ["GoOnRequest", goOnRequest],
      answers: ENDED,
      errors: ["not_linked", "not_found", "unexpected_result", "server_unavailable"],
    },
    ({ signIn: access }: SignInRoutesDeps) =>
      access &&
      (async ({ req, res, pending, session, body }) => {
        const given = await access.signIn.agree(
          session,
          pending,
          body.uuid.toLowerCase(),
          addressKey(req.ip ?? ""),
        );
        if (!given)
          return errorWith("not_linked", {
            field: "uuid",
            message: "`uuid` must be the player whom `GET /sign-in/ask/{uid}/state` shows.",
          });
        return end(access, req, res, pending.ask, given === "access_denied" ? { error: given } : given);
      }),
  ),
  signInSilently: route(
    "POST /sign-in/ask/{uid}/silent",
    {
      summary: "End a sign-in that must not show anything",
      description: `The site gets a code, or the error \`login_required\` or \`consent_required\`. A body is not read. ${WITHOUT_GAME}`,
      auth: forPage("maybeSession", stillOpen),
      parameters,
      answers: ENDED,
      errors: ["not_found", "unexpected_result", "server_unavailable"],
    },
    ({ signIn: access }: SignInRoutesDeps) =>
      access &&
      (async ({ req, res, pending, session }) => {
        if (!pending.isSilent)
          return errorWith("not_found", {
            field: "uid",
            message: "This sign-in shows a page: it cannot end silently.",
          });
        const outcome = await access.signIn.silently(session, pending, addressKey(req.ip ?? ""));
        return end(access, req, res, pending.ask, typeof outcome === "string" ? { error: outcome } : outcome);
      }),
  ),
  cancelSignIn: route(
    "POST /sign-in/ask/{uid}/cancel",
    {
      summary: "Cancel a sign-in",
      description: `The site gets \`access_denied\`, and a form that is open in the game closes. A body is not read. ${WITHOUT_GAME}`,
      auth: forPage("maybeSession", stillOpen),
      parameters,
      answers: ENDED,
      errors: ["not_found", "unexpected_result", "server_unavailable"],
    },
    ({ signIn: access }: SignInRoutesDeps) =>
      access &&
      (async ({ req, res, pending, session }) => {
        await access.signIn.cancel(session, pending, addressKey(req.ip ?? ""));
        return end(access, req, res, pending.ask, { error: "access_denied" });
      }),
  ),
});
