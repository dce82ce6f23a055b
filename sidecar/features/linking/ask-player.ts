import type { Request } from "express";
import { type Infer, object } from "../../../shared/guard.ts";
import { json } from "../../kernel/http/answer.ts";
import { addressKey } from "../../kernel/http/client-address.ts";
import type { ApiSettings } from "../../kernel/http/description.ts";
import { errorAnswer, fieldErrorAnswer, unavailable, unexpected } from "../../kernel/http/errors.ts";
import { anything, maybeText } from "../../kernel/http/guards.ts";
import { retryAfter } from "../../kernel/http/headers.ts";
import type { Refusals } from "../../kernel/http/refusals.ts";
import type { Rates } from "../../kernel/storage/ports.ts";
import type { Log } from "../../platform/log.ts";
import { perMinute, secondsToNext } from "../../platform/rate.ts";
import type { World, Worlds } from "../servers/world.ts";
import type { Links } from "./links.ts";
import type { ForSite } from "./rules/links.ts";

export interface AskPlayerDeps {
  api: ApiSettings;
  links: Links;
  log: Log;
  rates: Rates;
  refusals: Refusals;
  worlds: Worlds;
}

export const linkRequest = object({ username: maybeText, server: anything });

/** What asking a player may come to, for every route that does. */
export const ASKED = {
  answers: {
    202: { description: "The player is being asked.", body: "VerificationSent" },
    409: {
      description: "A request of this session is open already. It has `status` and no `error`.",
      body: "AlreadyPending",
    },
  },
  fieldErrors: ["unknown_server"],
} as const;

/** Makes what asks a player to be linked to a session; `signIn`: for which site, where it is asked for one. */
export function createAskPlayer({ api, links, log, rates, refusals, worlds }: AskPlayerDeps) {
  const { linkRequestsPerMinute, linkRequestsPerMinutePerAddress } = api.limits;
  const bySession = { name: "link-session", ...perMinute(linkRequestsPerMinute) } as const;
  const byAddress = { name: "link-address", ...perMinute(linkRequestsPerMinutePerAddress) } as const;

  /** The game servers that may be asked for a player; undefined: there is none of this name. */
  function named(server: unknown): readonly World[] | undefined {
    if (server === undefined || server === null) return worlds.all;
    const world = typeof server === "string" ? worlds.of(server) : undefined;
    return world && [world];
  }

  return async (
    req: Request,
    session: string,
    { username, server }: Infer<typeof linkRequest>,
    signIn?: ForSite,
  ) => {
    if (!username?.trim()) return errorAnswer("missing_username");
    const asked = named(server);
    if (asked === undefined) return fieldErrorAnswer("unknown_server");
    const there = asked.filter(({ snapshots }) => snapshots.fresh());
    if (there.length === 0) return unavailable(api);

    const address = addressKey(req.ip ?? "");
    const taken = rates.take({ key: address, rate: byAddress }, { key: session, rate: bySession });
    const over = [byAddress, bySession][typeof taken === "number" ? taken : await taken];
    if (over) {
      refusals.noted(over.name, address);
      return errorAnswer("rate_limited", retryAfter(secondsToNext(over)));
    }

    const ended = await links.linkPlayer(session, username, address, there, signIn);
    switch (ended.answer) {
      case "verification_sent":
        return json({ status: "verification_sent" }, 202);
      case "already_pending":
        return json({ status: "already_pending" }, 409);
      case "player_offline":
        return errorAnswer("player_offline");
      case "unstored":
        return unavailable(api);
      case "held":
        refusals.noted(`link-${ended.by}`, address);
        return errorAnswer("rate_limited", retryAfter(Math.max(1, Math.ceil(ended.waitMs / 1000))));
      case "busy":
        refusals.noted("link-waiting", address);
        return errorAnswer("rate_limited", retryAfter(secondsToNext(bySession)));
      case "unexpected":
        return unexpected(log, { why: ended.why });
      default:
        return ended satisfies never;
    }
  };
}
