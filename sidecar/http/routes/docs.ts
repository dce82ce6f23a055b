import type { RequestHandler } from "express";
import { sendError } from "../errors.ts";
import { typeOf } from "../file-types.ts";
import { iconOf } from "../page.ts";
import { pagePolicy } from "../page-policy.ts";
import { type PreparedResponse, prepareResponse, sendPrepared } from "../prepared.ts";
import type { Look, PublicDeps } from "./deps.ts";

/**
 * `GET /docs`: the interface for people, made when somebody first asks for it. Where the console is turned off or was not built,
 * there is none.
 */
export function docsRoute({ descriptions, logo, web, webFiles }: PublicDeps): RequestHandler {
  const built = webFiles.find(({ path }) => path === "index.html");
  if (!web.enabled || built === undefined) return (_req, res) => sendError(res, "not_found");
  const look: Look = {
    title: web.title,
    accent: web.accent,
    icon: logo?.path ?? iconOf(built.content.toString()),
  };
  let page: PreparedResponse | undefined;
  return (req, res) => {
    page ??= prepareResponse(Buffer.from(descriptions.page(look)), {
      "Content-Type": typeOf("docs.html"),
      "Cache-Control": "no-cache",
      ...pagePolicy(web.frameOrigins),
    });
    sendPrepared(page, req, res);
  };
}
