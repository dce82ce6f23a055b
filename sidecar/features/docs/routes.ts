import type { OutgoingHttpHeaders } from "node:http";
import type { Request } from "express";
import type { Config } from "../../config/settings.ts";
import {
  type CachedAnswer,
  type PreparedResponse,
  preparedAnswer,
  prepareResponse,
} from "../../kernel/http/answer.ts";
import type { ApiSettings } from "../../kernel/http/description.ts";
import { errorAnswer } from "../../kernel/http/errors.ts";
import { pagePolicy, typeOf } from "../../kernel/http/markup.ts";
import { anybody, route, routes } from "../../kernel/http/route.ts";
import { iconOf } from "../console/page.ts";
import type { WebFile } from "../console/web-files.ts";
import { asyncApi } from "./asyncapi.ts";
import type { OpenApi } from "./openapi.ts";
import { docsPage } from "./page/page.ts";

export interface DocsRoutesDeps {
  api: ApiSettings;
  /** the OpenAPI document of every route under these settings */
  openApi(api: ApiSettings): OpenApi;
  logo: WebFile | undefined;
  web: Config["modules"]["web"];
  webFiles: readonly WebFile[];
}

/** A handler that creates its response for the first request and then keeps it. */
function madeOnce<B>(path: string, make: () => string, headers: OutgoingHttpHeaders = {}) {
  let made: PreparedResponse<B> | undefined;
  return ({ req }: { req: Request }): CachedAnswer<B> => {
    made ??= prepareResponse(Buffer.from(make()), {
      "Content-Type": typeOf(path),
      "Cache-Control": "no-cache",
      ...headers,
    });
    return preparedAnswer(made, req);
  };
}

export const docsRoutes = routes("Service", {
  getDocs: route(
    "GET /docs",
    {
      summary: "The API page",
      description:
        "A page with the content of both documents, and an example for each call. It belongs to the web console: when that is off, this returns 404.",
      auth: anybody,
      answers: {
        200: {
          description: "The page.",
          text: {
            type: "text/html",
            description: "HTML in UTF-8. It loads nothing from other hosts.",
            example: {
              summary: "Shortened",
              value: "<!doctype html><title>API: Oak &amp; Stone</title>",
            },
          },
        },
      },
      cached: true,
      errors: ["not_found"],
    },
    ({ api, openApi, logo, web, webFiles }: DocsRoutesDeps) => {
      const built = webFiles.find(({ path }) => path === "index.html");
      if (!web.enabled || built === undefined) return () => errorAnswer("not_found");
      const icon = logo?.path ?? iconOf(built.content.toString());
      const look = { title: web.title, accent: web.accent, icon };
      return madeOnce(
        "docs.html",
        () => docsPage(openApi(api), asyncApi(api), look).text,
        pagePolicy(web.frameOrigins),
      );
    },
  ),
  getOpenApi: route(
    "GET /openapi.json",
    {
      summary: "The OpenAPI document",
      description: "OpenAPI 3.1, with the names and limits of this service's configuration.",
      auth: anybody,
      answers: { 200: { description: "This document.", body: "OpenApi" } },
      cached: true,
    },
    ({ api, openApi }: DocsRoutesDeps) => madeOnce("openapi.json", () => JSON.stringify(openApi(api))),
  ),
  getAsyncApi: route(
    "GET /asyncapi.json",
    {
      summary: "The AsyncAPI document of the chat",
      description: "AsyncAPI 3, with the limits of this service's configuration.",
      auth: anybody,
      answers: { 200: { description: "The document.", body: "AsyncApi" } },
      cached: true,
    },
    ({ api }: DocsRoutesDeps) => madeOnce("asyncapi.json", () => JSON.stringify(asyncApi(api))),
  ),
});
