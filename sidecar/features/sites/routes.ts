import { empty, json } from "../../kernel/http/answer.ts";
import { type ApiSettings, pathParameter, WITHOUT_GAME } from "../../kernel/http/description.ts";
import { errorWith } from "../../kernel/http/errors.ts";
import { route, routes } from "../../kernel/http/route.ts";
import { maybeSession, readSession, session } from "../../kernel/http/session.ts";
import type { Sites } from "./sites.ts";

export interface SitesRoutesDeps {
  api: ApiSettings;
  sites: Sites;
}

export const sitesRoutes = routes("Signing in", {
  forward: route(
    "GET /session/forward",
    {
      summary: "Whether a proxy may let this browser through",
      description: `For \`auth_request\` of nginx and \`forward_auth\` of Caddy, on the same host name as the service. The origin rule does not apply. ${WITHOUT_GAME}`,
      rate: "not counted for a proxy of `trust-proxy`.",
      isFreeForProxies: true,
      isForEveryOrigin: true,
      auth: maybeSession,
      answers: {
        200: {
          description: "A player is linked to the browser; the headers say who.",
          headers: ["X-Player-Uuid", "X-Player-Name"],
        },
        401: { description: "No player is linked, or the request has no session." },
      },
      errors: ["unexpected_result", "server_unavailable"],
    },
    ({ api, sites }: SitesRoutesDeps) =>
      async ({ req }) => {
        const own = readSession(req, api.sessionCookie.name);
        const known = "value" in own ? await sites.linked(own.value) : undefined;
        if (known === undefined) return empty(401);
        // An unpaired surrogate cannot be encoded: it becomes U+FFFD.
        const name = encodeURIComponent(Buffer.from(known.name).toString());
        return empty(200, { "X-Player-Uuid": known.uuid, "X-Player-Name": name });
      },
  ),
  getSites: route(
    "GET /session/sites",
    {
      summary: "Sites that know the player linked to this browser",
      description: `When the link ends, all of them are disconnected. ${WITHOUT_GAME}`,
      auth: session,
      answers: { 200: { description: "The sites.", body: "KnownSites" } },
      errors: ["unexpected_result", "server_unavailable"],
    },
    ({ sites }: SitesRoutesDeps) =>
      async ({ session }) =>
        json(await sites.sites(session)),
  ),
  endSite: route(
    "DELETE /session/sites/{id}",
    {
      summary: "Disconnect a site",
      description: `Its tokens become invalid, and it has to ask again. ${WITHOUT_GAME}`,
      auth: session,
      parameters: [pathParameter("id", "Id of the site.", "example-forum")],
      answers: { 200: { description: "The site is disconnected.", body: "SiteEnded" } },
      errors: ["not_found", "unexpected_result", "server_unavailable"],
    },
    ({ sites }: SitesRoutesDeps) =>
      async ({ req, session }) =>
        (await sites.endSite(session, `${req.params.id}`))
          ? json({ status: "ended" })
          : errorWith("not_found", {
              field: "id",
              message: "No site with this id is connected to this browser.",
            }),
  ),
});
