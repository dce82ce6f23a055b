import type { Request, Response } from "express";
import type { SignInRequest } from "./rules/sign-in.ts";
import type { IssuedGrant } from "./sign-in.ts";

/** Paths at which sites and browsers find the provider, below the address of the service. */
export const PROVIDER_PATHS = {
  discovery: "/.well-known/openid-configuration",
  authorize: "/sign-in/authorize",
  token: "/sign-in/token",
  userinfo: "/sign-in/userinfo",
  keys: "/sign-in/keys",
} as const;

/** Path that ends a sign-in and sends the browser back to its site. */
export const END_PATH = `${PROVIDER_PATHS.authorize}/:uid`;

/** The page of one sign-in; its calls are below it. */
export const ASK_PATH = "/sign-in/ask/:uid";

/** A sign-in that a browser began. */
export interface PendingSignIn extends SignInRequest {
  /** no page may be shown */
  isSilent: boolean;
  /** host to which the browser returns, with its port where that is not the usual one; of an app, the scheme of its address */
  host: string;
  /** whether the site also gets the player's name */
  withName: boolean;
  /** address to continue at, once the outcome is decided */
  end: string | undefined;
}

/** The outcome of a sign-in: a grant, or an error for the site. */
export type SignInOutcome = IssuedGrant | { error: "access_denied" | "login_required" | "consent_required" };

/** Called by the provider for what it does not decide itself. */
export interface ProviderEvents {
  /** Counts a sign-in before it is stored. Rejects where it may not begin; `fail` gets that error. */
  begin(): Promise<void>;
  fail(error: unknown): void;
  /** a request with an error that cannot be sent back to its site */
  refuse(status: number, code: string, why: string | undefined): void;
}

/** The OpenID Connect provider. */
export interface Provider {
  /** Answers a request for one of its paths. */
  handle(req: Request, res: Response, events: ProviderEvents): void;
  /** A sign-in by its id; undefined: it is unknown or has ended. */
  find(uid: string): Promise<{ isSilent: boolean } | undefined>;
  /** A sign-in by its id, if this browser has begun it and it has not ended. */
  pending(req: Request, res: Response, uid: string): Promise<PendingSignIn | undefined>;
  /** Stores the outcome; returns the address where the browser has to continue. */
  finish(req: Request, res: Response, uid: string, outcome: SignInOutcome): Promise<string | undefined>;
  /** Stops looking for new keys. */
  stop(): void;
}
