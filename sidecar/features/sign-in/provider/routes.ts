import type { Request, RequestHandler, Response } from "express";
import { empty, retryAfter, sendAnswer } from "../../../kernel/http/answer.ts";
import { addressKey } from "../../../kernel/http/client-address.ts";
import type { ApiSettings } from "../../../kernel/http/description.ts";
import { bodyTooLarge, errorAnswer, errorWith } from "../../../kernel/http/errors.ts";
import type { Refusals } from "../../../kernel/http/refusals.ts";
import type { Handlers } from "../../../kernel/http/route.ts";
import type { Rates } from "../../../kernel/storage/ports.ts";
import { type NamedRate, perMinute, secondsToNext } from "../../../platform/rate.ts";
import { ASK_PATH, END_PATH, PROVIDER_PATHS } from "../provider-port.ts";
import { createSignInFinder, SIGN_IN_OVER, type SignInAccess } from "../routes.ts";
import { createSignInPages, type SignInPagesDeps } from "./page.ts";
import { FRAMES } from "./settings.ts";

const NO_PAGE = "a sign-in must start in a top-level page";

/** A sign-in cannot start: it is over a rate limit, or the request does not come from a top-level page. */
class NotBegun extends Error {
  readonly over: NamedRate | undefined;
  constructor(over?: NamedRate) {
    super("the sign-in cannot start");
    this.over = over;
  }
}

const kindOf = (req: Request): string => req.get("Sec-Fetch-Dest") ?? "document";

export interface ProviderRoutesDeps extends SignInPagesDeps {
  api: ApiSettings;
  rates: Rates;
  refusals: Refusals;
}

type Pages = ReturnType<typeof createSignInPages>;

/** Routes of the provider and the sign-in page. The API description leaves them out. */
export function providerRoutes(deps: ProviderRoutesDeps, access: SignInAccess): Record<string, Handlers> {
  const pages = createSignInPages(deps);
  return { ...protocolRoutes(deps, access, pages), ...pageRoutes(deps, access, pages) };
}

function protocolRoutes(
  { api, rates, refusals }: ProviderRoutesDeps,
  { provider }: SignInAccess,
  pages: Pages,
): Record<string, Handlers> {
  const { linkRequestsPerMinutePerAddress, linkRequestsPerSecond, linkRequestsBurst } = api.limits;
  const byAddress = { name: "sign-in-address", ...perMinute(linkRequestsPerMinutePerAddress) } as const;
  const all = { perSecond: linkRequestsPerSecond, burst: linkRequestsBurst };
  const byAll = { name: "sign-in-everybody", ...all } as const;

  /** Counts a new sign-in by the rates of link requests. */
  async function count(req: Request): Promise<void> {
    if (kindOf(req) !== "document") throw new NotBegun();
    const address = addressKey(req.ip ?? "");
    const taken = await rates.take({ key: address, rate: byAddress }, { key: "all", rate: byAll });
    const over = [byAddress, byAll][taken];
    if (over === undefined) return;
    refusals.count(over.name, address);
    throw new NotBegun(over);
  }

  const handle: RequestHandler = (req, res, next) =>
    provider.handle(req, res, {
      begin: () => count(req),
      fail(error) {
        if (!(error instanceof NotBegun)) next(error);
        else if (error.over)
          sendAnswer(res, errorAnswer("rate_limited", retryAfter(secondsToNext(error.over))));
        else pages.sendFault(req, res, 403, "invalid_request", NO_PAGE);
      },
      refuse: (status, code, why) => pages.sendFault(req, res, status, code, why),
    });

  /**
   * Only a top-level page can start a sign-in; otherwise any page could start them for all its visitors. A frame gets a response
   * only where nothing has to be shown.
   */
  const begin: RequestHandler = (req, res, next) => {
    const kind = kindOf(req);
    const mayBeSilent = kind === "document" || (FRAMES.includes(kind) && req.method !== "POST");
    return mayBeSilent ? handle(req, res, next) : pages.sendFault(req, res, 403, "invalid_request", NO_PAGE);
  };

  /** Rejects a body whose stated length is over the limit; the library limits others itself. */
  const bounded =
    (next: RequestHandler): RequestHandler =>
    (req, res, error) =>
      Number(req.headers["content-length"] ?? 0) > api.limits.bodyBytes
        ? sendAnswer(res, bodyTooLarge(api.limits.bodyBytes))
        : next(req, res, error);

  /** The library handles preflights; any other `OPTIONS` gets the usual response. */
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

/** The page of a sign-in, and the path for browsers without scripts. */
function pageRoutes(deps: ProviderRoutesDeps, access: SignInAccess, pages: Pages): Record<string, Handlers> {
  const { provider } = access;
  const find = createSignInFinder(deps, access);

  async function noScript(req: Request, res: Response): Promise<void> {
    const found = await find(req, res);
    if ("fault" in found) return sendAnswer(res, found.fault);
    const { ask, isSilent } = found.value.pending;
    const location = isSilent ? await provider.finish(req, res, ask, { error: "login_required" }) : undefined;
    sendAnswer(
      res,
      location === undefined ? errorWith("not_found", SIGN_IN_OVER) : empty(303, { Location: location }),
    );
  }

  return {
    [ASK_PATH]: { get: pages.route(provider) },
    [`${ASK_PATH}/no-script`]: { get: noScript },
  };
}
