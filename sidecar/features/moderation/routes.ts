import { type Infer, object } from "../../../shared/guard.ts";
import { sendJson } from "../../kernel/http/answer.ts";
import { anything } from "../../kernel/http/body.ts";
import { type Route, sendUnavailable, type WorldDeps } from "../../kernel/http/deps.ts";
import { sendError } from "../../kernel/http/errors.ts";
import { ANNOUNCEMENT_CHARACTERS, cleanedTo, REASON_CHARACTERS } from "../chat/rules/chat.ts";
import { authorOf, sendUndone } from "./audited-answers.ts";

export const kickRequest = object({ playerName: anything, reason: anything });

/** `POST /kick`. Stands behind a key. */
export function kickRoute(deps: WorldDeps) {
  const { api, ownerLog, world } = deps;
  return (key: string, { playerName: name, reason = "" }: Infer<typeof kickRequest>): Route<"kick"> =>
    async (req, res) => {
      if (typeof name !== "string" || name.trim() === "") return sendError(res, "invalid_name");
      const clean = cleaned(REASON_CHARACTERS, reason ?? "");
      if (clean === undefined) return sendError(res, "invalid_body");
      if (!world.snapshots.fresh()) return sendUnavailable(res, api);
      const author = authorOf(key, req);
      const given = clean.trim() === "" ? {} : { reason: clean };
      const isHeard = new Promise<boolean>(resolve => res.once("close", () => resolve(res.writableFinished)));
      const kicked = await world.kicks.kick({ name, ...given }, author);
      if (kicked.outcome === "player_offline") return sendError(res, kicked.outcome);
      if (kicked.outcome !== "kicked") return sendUndone(res, deps, kicked);
      void isHeard.then(isSo => isSo || world.kicks.unheard(name));
      ownerLog.info({ name, ...given, holder: key, address: author.address }, "sent a player away");
      sendJson(res, { status: "kicked" });
    };
}

export const announceRequest = object({ content: anything });

/** `POST /announce`. Stands behind a key. */
export function announceRoute(deps: WorldDeps) {
  const { announce, api, ownerLog, world } = deps;
  return (key: string, { content }: Infer<typeof announceRequest>): Route<"announce"> =>
    async (req, res) => {
      const clean = cleaned(ANNOUNCEMENT_CHARACTERS, content);
      if (clean === undefined || clean.trim() === "") return sendError(res, "invalid_body");
      if (!world.snapshots.fresh()) return sendUnavailable(res, api);
      const author = authorOf(key, req);
      const announced = await announce(world, clean, author);
      if (announced.outcome !== "announced") return sendUndone(res, deps, announced);
      ownerLog.info({ holder: key, address: author.address }, "announced something in the game");
      sendJson(res, { status: "announced" });
    };
}

/** A text that was sent, cleaned; undefined where it is none, or too long. */
export const cleaned = (most: number, text: unknown): string | undefined =>
  typeof text === "string" ? cleanedTo(most, text) : undefined;
