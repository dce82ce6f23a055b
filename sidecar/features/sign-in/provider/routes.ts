import type { Request, RequestHandler, Response } from "express";
import { object, text } from "../../../../shared/guard.ts";
import { ID_LENGTH } from "../../../../shared/limits.ts";
import type * as told from "../../../../shared/public/sign-in.ts";
import { sendAnswer, sendJson } from "../../../kernel/http/answer.ts";
import { type Handler, rawBody, withBody } from "../../../kernel/http/body.ts";
import { addressKey } from "../../../kernel/http/client-address.ts";
import type { Handlers, PublicDeps } from "../../../kernel/http/deps.ts";
import { errorAnswer, sendError } from "../../../kernel/http/errors.ts";
import { retryAfter } from "../../../kernel/http/headers.ts";
import { originOf } from "../../../kernel/http/origin.ts";
import { readSession } from "../../../kernel/http/session.ts";
import { type NamedRate, perMinute, secondsToNext } from "../../../platform/rate.ts";
import { linkPlayerRoute, linkRequest } from "../../linking/routes.ts";
import {
  ASK_PATH,
  END_PATH,
  type Outcome,
  PROVIDER_PATHS,
  type Provider,
  type UnderWay,
} from "../provider-port.ts";
import type { SignIn } from "../sign-in.ts";
import { createSignInPages } from "./page.ts";
import { FRAMES } from "./settings.ts";

const NO_PAGE = "a sign-in begins with a page at the top level";

/** Why a sign-in is not begun: its rate, or that no page at the top level asks. */
class NotBegun extends Error {
  readonly over: NamedRate | undefined;
  constructor(over?: NamedRate) {
    super("the sign-in may not begin");
    this.over = over;
  }
}

const kindOf = (req: Request): string => req.get("Sec-Fetch-Dest") ?? "document";

const goOnRequest = object({ uuid: text(ID_LENGTH, 1) });

/** What the routes of sign-ins work with besides. */
interface SignInDeps extends PublicDeps {
  provider: Provider;
  signIn: SignIn;
  /** address under which browsers reach the service */
  issuer: string;
}

type Pages = ReturnType<typeof createSignInPages>;

/** Routes of the provider, and of what its page asks. */
export function signInRoutes(deps: SignInDeps): Record<string, Handlers> {
  const pages = createSignInPages(deps);
  return { ...providerRoutes(deps, pages), ...askRoutes(deps, pages) };
}

/** What sites and browsers ask of the provider itself. */
function providerRoutes(
  { api, provider, rates, refusals }: SignInDeps,
  pages: Pages,
): Record<string, Handlers> {
  const { linkRequestsPerMinutePerAddress, linkRequestsPerSecond, linkRequestsBurst } = api.limits;
  const byAddress = { name: "sign-in-address", ...perMinute(linkRequestsPerMinutePerAddress) } as const;
  const all = { perSecond: linkRequestsPerSecond, burst: linkRequestsBurst };
  const byAll = { name: "sign-in-everybody", ...all } as const;

  /** Counts what is to be stored: as many as may ask players. Whether it is, the provider knows, which has read the request. */
  async function count(req: Request): Promise<void> {
    if (kindOf(req) !== "document") throw new NotBegun();
    const address = addressKey(req.ip ?? "");
    const taken = await rates.take({ key: address, rate: byAddress }, { key: "all", rate: byAll });
    const over = [byAddress, byAll][taken];
    if (over === undefined) return;
    refusals.noted(over.name, address);
    throw new NotBegun(over);
  }

  const handle: RequestHandler = (req, res, next) =>
    provider.handle(req, res, {
      begin: () => count(req),
      fail(error) {
        if (!(error instanceof NotBegun)) next(error);
        else if (error.over) sendError(res, "rate_limited", retryAfter(secondsToNext(error.over)));
        else pages.sendFault(req, res, 403, "invalid_request", NO_PAGE);
      },
      refuse: (status, code, why) => pages.sendFault(req, res, status, code, why),
    });

  /**
   * What a page elsewhere loads by itself begins nothing, and takes nothing from those who do: its visitors would be a flood of as
   * many addresses. In a frame it is answered where nothing is to be shown.
   */
  const begin: RequestHandler = (req, res, next) => {
    const kind = kindOf(req);
    const mayBeSilent = kind === "document" || (FRAMES.includes(kind) && req.method !== "POST");
    return mayBeSilent ? handle(req, res, next) : pages.sendFault(req, res, 403, "invalid_request", NO_PAGE);
  };

  /** A body that says that it is over the limit is not read; of another the library reads no more than its own. */
  const bounded =
    (next: RequestHandler): RequestHandler =>
    (req, res, error) =>
      Number(req.headers["content-length"] ?? 0) > api.limits.bodyBytes
        ? sendAnswer(res, { ...errorAnswer("invalid_body"), status: 413 })
        : next(req, res, error);

  /** The library answers preflights of pages; any other `OPTIONS` is answered as everywhere. */
  const preflight: RequestHandler = (req, res, next) =>
    req.get("Origin") && req.get("Access-Control-Request-Method") ? handle(req, res, next) : next();

  return {
    [PROVIDER_PATHS.discovery]: { get: handle, options: preflight },
    [PROVIDER_PATHS.keys]: { get: handle, options: preflight },
    [PROVIDER_PATHS.authorize]: { get: begin, post: bounded(begin) },
    [END_PATH]: { get: handle },
    [PROVIDER_PATHS.token]: { post: bounded(handle), options: preflight },
    [PROVIDER_PATHS.userinfo]: { get: handle, post: bounded(handle), options: preflight },
  };
}

/** What the page of a sign-in asks, of its own origin alone. */
function askRoutes(deps: SignInDeps, pages: Pages): Record<string, Handlers> {
  const { api, provider, signIn, sites } = deps;
  const ownOrigin = new URL(deps.issuer).origin;
  const read = rawBody(api.limits.bodyBytes);
  const linkPlayer = linkPlayerRoute(deps);

  /** Whether a page of the service asks: no other, whichever is listed, has any say in a sign-in. */
  function isOwnPage({ method, headers: { origin, "sec-fetch-site": from } }: Request): boolean {
    if (origin !== undefined) return originOf(origin) === ownOrigin;
    return method !== "POST" && (from === undefined || from === "same-origin");
  }

  /** Hands a request on with the sign-in and the session of the browser that has begun it. */
  const withAsk =
    <B>(handlerOf: (asked: UnderWay, session: string | undefined) => Handler<B>): Handler<B> =>
    async (req, res, next) => {
      if (!isOwnPage(req)) return sendError(res, "origin_not_allowed");
      const asked = await provider.underWay(req, res, `${req.params.uid}`);
      if (asked === undefined) return sendError(res, "not_found");
      const session = readSession(req, api.sessionCookie.name);
      return handlerOf(asked, "value" in session ? session.value : undefined)(req, res, next);
    };
  /** What has come to its end is not decided again: the browser may not have heard of it. */
  const withOpen = (
    handlerOf: (asked: UnderWay, session: string | undefined) => Handler<told.SignInEnd>,
  ): Handler<told.SignInEnd> =>
    withAsk((asked, session) => {
      const { end: location } = asked;
      return location === undefined ? handlerOf(asked, session) : (_req, res) => sendJson(res, { location });
    });
  const missing: RequestHandler = (_req, res) => sendError(res, "missing_session");
  const withBoth = <B>(handlerOf: (asked: UnderWay, session: string) => Handler<B>): Handler<B> =>
    withAsk((asked, session) => (session === undefined ? missing : handlerOf(asked, session)));

  /** Ends a sign-in: the page goes on to where its site hears of it. */
  async function end(req: Request, res: Response, ask: string, outcome: Outcome): Promise<void> {
    const location = await provider.finish(req, res, ask, outcome);
    if (location === undefined) sendError(res, "not_found");
    else sendJson(res, { location });
  }

  const shown = (asked: UnderWay, state: Awaited<ReturnType<typeof signIn.state>>): told.SignInState => ({
    site: { id: asked.site, name: sites.siteName(asked.site) },
    status: state.status,
    player: state.player,
    asked: state.asked ?? null,
    alike: state.alike !== undefined,
    leftMs: state.until === undefined ? null : signIn.until(state.until),
    withName: asked.withName,
    silent: asked.isSilent,
  });

  const state = withBoth(
    (asked, session): Handler<told.SignInState> =>
      async (_req, res) =>
        sendJson(res, shown(asked, await signIn.state(session, asked))),
  );
  const player = withBoth(({ site, ask, end }, session) =>
    end === undefined
      ? withBody(read, linkRequest, body => linkPlayer(session, body, { site, ask }))
      : (_req, res) => sendError(res, "not_found"),
  );
  const goOn = withOpen((asked, session) =>
    session === undefined
      ? missing
      : withBody(
          read,
          goOnRequest,
          ({ uuid }): Handler<told.SignInEnd> =>
            async (req, res) => {
              const given = await signIn.agree(session, asked, uuid.toLowerCase(), addressKey(req.ip ?? ""));
              if (given === "access_denied") await end(req, res, asked.ask, { error: given });
              else if (given) await end(req, res, asked.ask, given);
              else sendError(res, "not_linked");
            },
        ),
  );
  const silent = withOpen(
    (asked, session): Handler<told.SignInEnd> =>
      async (req, res) => {
        if (asked.isSilent) await end(req, res, asked.ask, await silently(session, asked, req));
        else sendError(res, "not_found");
      },
  );
  const cancel = withOpen(
    (asked, session): Handler<told.SignInEnd> =>
      async (req, res) => {
        await signIn.giveUp(session, asked, addressKey(req.ip ?? ""));
        await end(req, res, asked.ask, { error: "access_denied" });
      },
  );

  async function silently(session: string | undefined, asked: UnderWay, req: Request): Promise<Outcome> {
    const outcome = await signIn.silently(session, asked, addressKey(req.ip ?? ""));
    return typeof outcome === "string" ? { error: outcome } : outcome;
  }

  /** A browser that runs no script cannot be asked who is there. */
  const noScript = withAsk(
    (asked): RequestHandler =>
      async (req, res) => {
        const location = asked.isSilent
          ? await provider.finish(req, res, asked.ask, { error: "login_required" })
          : undefined;
        if (location === undefined) sendError(res, "not_found");
        else sendAnswer(res, { status: 303, headers: { Location: location }, body: "" });
      },
  );

  return {
    [ASK_PATH]: { get: pages.route(provider) },
    [`${ASK_PATH}/no-script`]: { get: noScript },
    [`${ASK_PATH}/state`]: { get: state },
    [`${ASK_PATH}/player`]: { post: player },
    [`${ASK_PATH}/go-on`]: { post: goOn },
    [`${ASK_PATH}/silent`]: { post: silent },
    [`${ASK_PATH}/cancel`]: { post: cancel },
  };
}
