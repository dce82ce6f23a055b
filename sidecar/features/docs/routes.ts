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
  /** describes every route, under these settings */
  openApi(api: ApiSettings): OpenApi;
  logo: WebFile | undefined;
  web: Config["modules"]["web"];
  webFiles: readonly WebFile[];
}

/** A handler whose answer is made for the first request and then stays. */
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
      summary: "The description for people",
      description:
        "A page with all that both documents say, and with a call to copy for each operation. It belongs to the web console: where that is turned off, 404 is answered.",
      auth: anybody,
      answers: {
        200: {
          description: "The page.",
          text: {
            type: "text/html",
            description: "HTML in UTF-8, which loads nothing of other hosts.",
            example: {
              summary: "Shortened",
              value: "<!doctype html><title>Interface: Oak &amp; Stone</title>",
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
      summary: "The description of the calls",
      description: "OpenAPI 3.1, with the names and limits that this service is configured with.",
      auth: anybody,
      answers: { 200: { description: "This document.", body: "OpenApi" } },
      cached: true,
    },
    ({ api, openApi }: DocsRoutesDeps) => madeOnce("openapi.json", () => JSON.stringify(openApi(api))),
  ),
  getAsyncApi: route(
    "GET /asyncapi.json",
    {
      summary: "The description of the chat",
      description: "AsyncAPI 3, with the limits that this service is configured with.",
      auth: anybody,
      answers: { 200: { description: "The document.", body: "AsyncApi" } },
      cached: true,
    },
    ({ api }: DocsRoutesDeps) => madeOnce("asyncapi.json", () => JSON.stringify(asyncApi(api))),
  ),
});
