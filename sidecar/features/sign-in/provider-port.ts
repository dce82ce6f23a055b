import type { Request, Response } from "express";
import type { SignInWish } from "./rules/sign-in.ts";
import type { IssuedGrant } from "./sign-in.ts";

/** Paths at which sites and browsers find the provider, below the address of the service. */
export const PROVIDER_PATHS = {
  discovery: "/.well-known/openid-configuration",
  authorize: "/sign-in/authorize",
  token: "/sign-in/token",
  userinfo: "/sign-in/userinfo",
  keys: "/sign-in/keys",
} as const;

/** Where a browser ends a sign-in, which sends it back to its site. */
export const END_PATH = `${PROVIDER_PATHS.authorize}/:uid`;

/** The page of one sign-in, and below it what that asks. */
export const ASK_PATH = "/sign-in/ask/:uid";

/** A sign-in that a browser has under way. */
export interface UnderWay extends SignInWish {
  /** nothing may be shown */
  isSilent: boolean;
  /** whether the site asks for the name, too */
  withName: boolean;
  /** where the browser has to go on to, once it is known what becomes of it; that stays so */
  end: string | undefined;
}

/** What becomes of a sign-in: something is given out, or the site is told why not. */
export type Outcome = IssuedGrant | { error: "access_denied" | "login_required" | "consent_required" };

/** What a provider does not decide or answer itself. */
export interface ProviderEvents {
  /** Counts a sign-in that is to be stored; rejects, with what `fail` gets, where it may not begin. */
  begin(): Promise<void>;
  /** a fault of the service */
  fail(error: unknown): void;
  /** something is wrong with a request that cannot be sent back to its site */
  refuse(status: number, code: string, why: string | undefined): void;
}

/** What speaks OpenID Connect with sites. */
export interface Provider {
  /** Answers a request for one of its paths. */
  handle(req: Request, res: Response, otherwise: ProviderEvents): void;
  /** What is known of a sign-in of this name, whoever asks; undefined: there is none, or it is over. */
  asked(uid: string): Promise<{ isSilent: boolean } | undefined>;
  /** The sign-in of this name, if it is this browser's and not over. */
  underWay(req: Request, res: Response, uid: string): Promise<UnderWay | undefined>;
  /** Notes what became of it; the address to which the browser has to go on. */
  finish(req: Request, res: Response, uid: string, outcome: Outcome): Promise<string | undefined>;
  /** Looks for new keys no longer. */
  stop(): void;
}
