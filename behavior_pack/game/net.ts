import { address } from "../../shared/address.ts";
import type { Endpoint, HttpClient } from "../ports.ts";
import { admin, net } from "./beta-modules.ts";
import { attempt, peek, type ReportMissing } from "./features.ts";

const FOLDER = "config/default or config/<script module uuid>";

/** Reads the settings and sends requests. Every request has a body: without one, the game would block until it ends. */
export function createHttpClient(): HttpClient {
  return {
    tokenHint: "set bridge-token in secrets.json to the sidecar's token",
    open() {
      const http = peek(net, "http");
      const Request = peek(net, "HttpRequest");
      if (http === undefined || Request === undefined)
        return {
          fault:
            "cannot connect, the game offers no @minecraft/server-net: list it in allowed_modules of permissions.json in " +
            FOLDER,
        };
      const variables = peek(admin, "variables");
      const secrets = peek(admin, "secrets");
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
      // A game without the enum still takes its value.
      const method = peek(peek(net, "HttpRequestMethod"), "Post") ?? ("Post" as net.HttpRequestMethod.Post);
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
          peek(request, "setTimeout")?.call(request, timeoutSeconds);
          return http.request(request);
        },
      };
      return { value: endpoint };
    },
    cancelAll() {
      // Throws when nothing is open, or when the game lacks it.
      attempt(() => peek(net, "http")?.cancelAll("web bridge"));
    },
  };
}

function setting<T>(from: { get(name: string): T } | undefined, name = "bridge-url"): T | undefined {
  return attempt(() => peek(from, "get")?.call(from, name));
}

/** Reports optional members that the game lacks; to be called once the world is loaded. */
export function checkNet(missing: ReportMissing): void {
  const http = peek(net, "http");
  if (http !== undefined && peek(http, "cancelAll") === undefined)
    missing("http.cancelAll", "open requests cannot be cancelled");
  const Request = peek(net, "HttpRequest");
  // Never sent. Games differ in where the members are defined: look them up on a request.
  const request = attempt(() => Request && new Request("http://127.0.0.1"));
  for (const key of ["setMethod", "addHeader", "setBody", "setTimeout"] as const)
    if (request !== undefined && peek(request, key) === undefined)
      missing(
        `HttpRequest.${key}`,
        key === "setTimeout" ? "requests take longer to time out" : "the bridge cannot connect",
      );
}
