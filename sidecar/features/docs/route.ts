import type { OutgoingHttpHeaders } from "node:http";
import type { RequestHandler } from "express";
import type { Look, PublicDeps } from "../../kernel/http/deps.ts";
import { sendError } from "../../kernel/http/errors.ts";
import { typeOf } from "../../kernel/http/file-types.ts";
import { pagePolicy } from "../../kernel/http/page-policy.ts";
import { type PreparedResponse, prepareResponse, sendPrepared } from "../../kernel/http/prepared.ts";
import { iconOf } from "../console/page.ts";

/** Sends what does not change while the process runs, made when somebody first asks for it. */
function madeOnce(path: string, make: () => string, headers: OutgoingHttpHeaders = {}): RequestHandler {
  let made: PreparedResponse | undefined;
  return (req, res) => {
    made ??= prepareResponse(Buffer.from(make()), {
      "Content-Type": typeOf(path),
      "Cache-Control": "no-cache",
      ...headers,
    });
    sendPrepared(made, req, res);
  };
}

/** `GET /openapi.json` and `GET /asyncapi.json`: the interface for programs. */
export const documentRoute = (make: () => object): RequestHandler =>
  madeOnce("openapi.json", () => JSON.stringify(make()));

/** `GET /docs`: the interface for people. Where the console is turned off or was not built, there is none. */
export function docsRoute({ descriptions, logo, web, webFiles }: PublicDeps): RequestHandler {
  const built = webFiles.find(({ path }) => path === "index.html");
  if (!web.enabled || built === undefined) return (_req, res) => sendError(res, "not_found");
  const look: Look = {
    title: web.title,
    accent: web.accent,
    icon: logo?.path ?? iconOf(built.content.toString()),
  };
  return madeOnce("docs.html", () => descriptions.page(look), pagePolicy(web.frameOrigins));
}
