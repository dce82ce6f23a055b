import type { RequestHandler } from "express";
import type { Result } from "../../../shared/result.ts";
import type { PublicDeps } from "../../kernel/http/deps.ts";
import { sendError } from "../../kernel/http/errors.ts";
import { sendPrepared } from "../../kernel/http/prepared.ts";
import { createBadge, LABEL_CHARACTERS } from "./badge.ts";

/** What XML cannot hold, and line breaks. */
const UNWRITABLE = /[\p{Cc}\p{Cs}\ufffe\uffff]/u;

/** The label that is asked for, undefined where none is. */
function readLabel(url: string): Result<string | undefined> {
  const at = url.indexOf("?");
  const [label, another] = new URLSearchParams(at === -1 ? "" : url.slice(at)).getAll("label");
  if (label === undefined) return { value: undefined };
  const value = label.trim();
  const isFine =
    another === undefined && value !== "" && [...value].length <= LABEL_CHARACTERS && !UNWRITABLE.test(value);
  return isFine ? { value } : { fault: `expected one line of 1 to ${LABEL_CHARACTERS} characters, once` };
}

/** `GET /badge.svg`: how the game server does, as an image for other sites. */
export function badgeRoute({ api, web, worlds: { first: world } }: PublicDeps): RequestHandler {
  const badgeOf = createBadge({
    title: web.title,
    maxPlayers: world.info.maxPlayers,
    holdMs: api.metricsRefreshInterval,
  });
  return (req, res) => {
    const label = readLabel(req.url);
    if ("fault" in label) return sendError(res, "invalid_query");
    sendPrepared(badgeOf(world.snapshots.fresh()?.status.onlinePlayerCount, label.value), req, res);
  };
}
