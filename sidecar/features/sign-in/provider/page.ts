import type { Request, RequestHandler, Response } from "express";
import type { Config } from "../../../config/settings.ts";
import { sendAnswer } from "../../../kernel/http/answer.ts";
import { inlineScripts, type Markup, markup, pagePolicy, typeOf } from "../../../kernel/http/markup.ts";
import { BUILT, iconOf, SIGN_IN_PAGE } from "../../console/page.ts";
import type { WebFile } from "../../console/web-files.ts";
import type { Provider } from "../provider-port.ts";

export interface SignInPagesDeps {
  logo: WebFile | undefined;
  web: Config["modules"]["web"];
  webFiles: readonly WebFile[];
}

const NO_SCRIPT = /<noscript>[^<]*<\/noscript>/;
/** The service's address as written by the build. */
const ABOVE = "../../";

/** Without scripts and styles, where the page was not built. */
const BARE = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
};

export function createSignInPages({ logo, web, webFiles }: SignInPagesDeps) {
  const built = webFiles.find(({ path }) => path === SIGN_IN_PAGE)?.content.toString();
  /** No other site may show it in a frame, and its requests name its origin. */
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    ...pagePolicy([], ["connect-src 'self'"], inlineScripts(built ?? "")),
    "Referrer-Policy": "same-origin",
  };

  /** The page as it is seen from a path, with more in its head; undefined: it was not built. It is the same for every browser. */
  function pageAt(path: string, more?: Markup): string | undefined {
    const above = "../".repeat(path.split("/").length - 2);
    const page = built?.replaceAll(ABOVE, above);
    const icon = logo ? `${above}${logo.path}` : iconOf(page ?? "");
    const head = markup`<title>${web.title}</title>${
      icon !== undefined &&
      markup`
    <link rel="icon" type="${typeOf(icon)}" href="${icon}">`
    }${more}`;
    return page?.replace(BUILT, () => head.text);
  }

  /**
   * Shows that a sign-in cannot continue, where the error cannot be sent to its site.
   * @param code the error code of the standard
   * @param why in words for the developer of the site
   */
  function sendFault({ path }: Request, res: Response, status: number, code: string, why = ""): void {
    const words = markup`
<h1>This sign-in can't continue</h1>
<p>Go back to the site and try again. If that doesn't help, tell the site's owner:</p>
<p><code>${code}</code> ${why}</p>
`;
    const page = pageAt(path, markup`<meta name="fault" content="${`${code} ${why}`.trim()}">`);
    const bare = markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>This sign-in can't continue</title>${words}`;
    const body = page?.replace(NO_SCRIPT, () => `<noscript>${words.text}</noscript>`);
    sendAnswer(res, { status, headers: body === undefined ? BARE : headers, body: body ?? bare.text });
  }

  /** The page of a sign-in; its script gets what belongs to this browser. */
  const route = (provider: Provider): RequestHandler =>
    async function show(req, res) {
      const uid = `${req.params.uid}`;
      const interaction = await provider.find(uid);
      if (interaction === undefined) return sendFault(req, res, 404, "not_found", "this sign-in has expired");
      const page = pageAt(req.path);
      if (page === undefined) return sendFault(req, res, 500, "server_error", "the sign-in page is missing");
      // Without its script the page cannot find out who is linked.
      const without = markup`<noscript><meta http-equiv="refresh" content="0; url=${uid}/no-script"></noscript>`;
      const body = interaction.isSilent ? page.replace(NO_SCRIPT, () => without.text) : page;
      return sendAnswer(res, { status: 200, headers, body });
    };

  return { sendFault, route };
}
