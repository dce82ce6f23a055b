import { parseDuration } from "../../../shared/duration.ts";
import { anything, object } from "../../../shared/guard.ts";
import { isBrowserLabel } from "../../../shared/web-chat.ts";
import { json } from "../../kernel/http/answer.ts";
import { WITHOUT_GAME } from "../../kernel/http/description.ts";
import { errorWith } from "../../kernel/http/errors.ts";
import { withKeyOrLink } from "../../kernel/http/moderators.ts";
import { PAGE_PARAMETERS, pageOf } from "../../kernel/http/pages.ts";
import { route, routes } from "../../kernel/http/route.ts";
import type { Log } from "../../platform/log.ts";
import { MUTE_MS } from "../chat/rules/web-chat.ts";
import { authorOf } from "./answers.ts";
import type { Mutes } from "./mutes.ts";

/** The longest mute, in milliseconds: a week. Mutes are not stored beyond a restart of the service. */
const MAX_MUTE_MS = 7 * 86_400_000;

export interface MuteRoutesDeps {
  mutes: Mutes;
  ownerLog: Log;
}

/** The label of a browser in a body, in lower case as in the game's commands; undefined: invalid. */
function labelIn(label: unknown): string | undefined {
  const written = typeof label === "string" ? label.toLowerCase() : "";
  return isBrowserLabel(written) ? written : undefined;
}

const durationDetail = {
  field: "for",
  message: "`for` must be a duration longer than zero and at most `7d`, such as `30m` or `12h`.",
};

/** How long to mute, in milliseconds; undefined: the value in the body is not allowed. */
function muteMsOf(written: unknown): number | undefined {
  const forMs = written === undefined || written === null ? MUTE_MS : parseDuration(written);
  return forMs !== undefined && forMs > 0 && forMs <= MAX_MUTE_MS ? forMs : undefined;
}

export const muteRoutes = routes("Moderation", {
  getMutes: route(
    "GET /mutes",
    {
      summary: "Browsers that are muted in the web chat",
      description: `Muted here, or by \`/bridge:mute\` in the game. ${WITHOUT_GAME}`,
      auth: withKeyOrLink("chat:mute"),
      parameters: PAGE_PARAMETERS,
      answers: { 200: { description: "The mutes.", body: "Mutes", headers: ["Link"] } },
      errors: ["invalid_query", "server_unavailable", "unexpected_result"],
    },
    ({ mutes }: MuteRoutesDeps) =>
      ({ req }) => {
        const page = pageOf(req.url, mutes.list(), ({ label }) => label);
        if ("fault" in page) return errorWith("invalid_query", page.fault);
        return json(page.value.elements, 200, page.value.headers);
      },
  ),
  mute: route(
    "POST /mutes",
    {
      summary: "Mute a browser in the web chat",
      description: `As \`/bridge:mute\` in the game, on all game servers: the browser can read, and gets \`EXCEPTION\` \`not allowed\` for what it sends. A later mute of the same label replaces an earlier one. A restart of the service ends mutes. ${WITHOUT_GAME}`,
      auth: withKeyOrLink("chat:mute"),
      body: ["MuteRequest", object({ label: anything, for: anything })],
      answers: { 200: { description: "The browser is muted.", body: "Muted" } },
      errors: ["invalid_label", "server_unavailable", "unexpected_result"],
    },
    ({ mutes, ownerLog }: MuteRoutesDeps) =>
      async ({ req, key, uuid, body }) => {
        const label = labelIn(body.label);
        if (label === undefined) return errorWith("invalid_label", { field: "label" });
        const forMs = muteMsOf(body.for);
        if (forMs === undefined) return errorWith("invalid_body", durationDetail);
        const author = authorOf({ key, uuid }, req);
        const { outcome } = await mutes.mute(label, forMs, author);
        ownerLog.info({ label, forMs, by: key, address: author.address }, "Muted a browser");
        return json({ status: outcome });
      },
  ),
  unmute: route(
    "DELETE /mutes",
    {
      summary: "Unmute a browser in the web chat",
      description: `Ends the mute of exactly this label. ${WITHOUT_GAME}`,
      auth: withKeyOrLink("chat:mute"),
      body: ["UnmuteRequest", object({ label: anything })],
      answers: { 200: { description: "The browser is no longer muted.", body: "Unmuted" } },
      errors: ["invalid_label", "not_muted", "server_unavailable", "unexpected_result"],
    },
    ({ mutes, ownerLog }: MuteRoutesDeps) =>
      async ({ req, key, uuid, body }) => {
        const label = labelIn(body.label);
        if (label === undefined) return errorWith("invalid_label", { field: "label" });
        const author = authorOf({ key, uuid }, req);
        const { outcome } = await mutes.unmute(label, author);
        if (outcome === "not_muted") return errorWith(outcome, { field: "label" });
        ownerLog.info({ label, by: key, address: author.address }, "Unmuted a browser");
        return json({ status: outcome });
      },
  ),
});
