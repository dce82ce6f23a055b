import { address } from "../address.ts";
import type { Bridge, Endpoint } from "../ports.ts";
import { attempt, type Missing, member } from "./features.ts";
import { admin, net } from "./modules.ts";

const FOLDER = "config/default or config/<script module uuid>";

/** Reads the settings and sends requests. A request is never without a body: the game would stop until it ends. */
export function createBridge(): Bridge {
  return {
    open() {
      const http = member(net, "http");
      const Request = member(net, "HttpRequest");
      if (http === undefined || Request === undefined)
        return {
          fault:
            "cannot connect, the game offers no @minecraft/server-net: list it in allowed_modules of permissions.json in " +
            FOLDER,
        };
      const variables = member(admin, "variables");
      const secrets = member(admin, "secrets");
      if (variables === undefined || secrets === undefined)
        return {
          fault:
            "cannot connect, the game offers no settings of @minecraft/server-admin: list it in allowed_modules of permissions.json in " +
            FOLDER,
        };
      const url = address(setting(variables));
      if (url === undefined)
        return {
          fault: `cannot connect: put "bridge-url", such as "http://127.0.0.1:8081", into variables.json in ${FOLDER}, then run reloadconfig`,
        };
      const token = setting(secrets, "bridge-token");
      if (token === undefined)
        return {
          fault: `cannot connect: put "bridge-token", the token of the sidecar, into secrets.json in ${FOLDER}, then run reloadconfig`,
        };
      // A game that leaves out the enum still takes what stands in it.
      const method =
        member(member(net, "HttpRequestMethod"), "Post") ?? ("Post" as net.HttpRequestMethod.Post);
      const world = setting(variables, "world-name");
      const endpoint: Endpoint = {
        url,
        world: typeof world === "string" ? world : undefined,
        post(path, body, timeoutSeconds) {
          const request = new Request(url + path);
          request.setMethod(method);
          request.addHeader("Content-Type", "application/json");
          request.addHeader("Authorization", token);
          request.setBody(body);
          if (member(request, "setTimeout") !== undefined) request.setTimeout(timeoutSeconds);
          return http.request(request);
        },
      };
      return { value: endpoint };
    },
    cancelAll() {
      // Throws when nothing is open, or this game cannot do it.
      attempt(() => member(net, "http")?.cancelAll("web bridge"));
    },
  };
}

function setting<T>(from: { get(name: string): T } | undefined, name = "bridge-url"): T | undefined {
  return attempt(() => (member(from, "get") === undefined ? undefined : from?.get(name)));
}

/** Names what the game lacks and the bridge can do without; to be called once the world is there. */
export function checkNet(missing: Missing): void {
  const http = member(net, "http");
  if (http !== undefined && member(http, "cancelAll") === undefined)
    missing("http.cancelAll", "requests end by themselves only");
  const Request = member(net, "HttpRequest");
  // Never sent: its members are looked for on itself, since where a game keeps them is not agreed.
  const request = attempt(() => Request && new Request("http://127.0.0.1"));
  for (const key of ["setMethod", "addHeader", "setBody", "setTimeout"] as const)
    if (request !== undefined && member(request, key) === undefined)
      missing(
        `HttpRequest.${key}`,
        key === "setTimeout" ? "requests take longer to be given up" : "the bridge cannot connect",
      );
}
