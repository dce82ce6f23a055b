import { json } from "../../kernel/http/answer.ts";
import { WITHOUT_GAME } from "../../kernel/http/description.ts";
import { withAnyKeyOrLink } from "../../kernel/http/moderators.ts";
import { route, routes } from "../../kernel/http/route.ts";

export interface PermissionRoutesDeps {
  servers: { readonly all: readonly { readonly name: string }[] };
}

export const permissionRoutes = routes("Moderation", {
  getPermissions: route(
    "GET /permissions",
    {
      summary: "What a key or a moderator may do",
      description: `The scopes of the key, or without one those of the player linked to the browser. ${WITHOUT_GAME}`,
      auth: withAnyKeyOrLink,
      answers: { 200: { description: "The scopes.", body: "Permissions" } },
      errors: ["server_unavailable", "unexpected_result"],
    },
    ({ servers }: PermissionRoutesDeps) =>
      ({ holder: { scopes, servers: limit } }) => {
        const isLimited = limit !== undefined && servers.all.some(({ name }) => !limit.includes(name));
        return json({ scopes: [...scopes], servers: isLimited ? limit : null });
      },
  ),
});
