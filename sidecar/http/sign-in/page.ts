import type { Request, RequestHandler, Response } from "express";
import { sendAnswer } from "../answer.ts";
import { typeOf } from "../file-types.ts";
import { markup } from "../markup.ts";
import { BUILT, iconOf, SIGN_IN_PAGE } from "../page.ts";
import { pagePolicy } from "../page-policy.ts";
import type { Provider } from "../provider.ts";
import type { PublicDeps } from "../routes/deps.ts";
import { sendSignInFault } from "./fault.ts";

/** What the build has written for whoever opens the file by itself. */
const NO_SCRIPT = /<noscript>[^<]*<\/noscript>/;

/** No page of another site may show it in a frame, and what it asks says from which origin. */
const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  ...pagePolicy([], ["connect-src 'self'"]),
  "Referrer-Policy": "same-origin",
};

/** The page of a sign-in. It is the same for every browser: its script asks for what is this one's. */
export function signInPage({ logo, web, webFiles }: PublicDeps, provider: Provider): RequestHandler {
  const built = webFiles.find(({ path }) => path === SIGN_IN_PAGE)?.content.toString();
  const icon = logo ? `../../${logo.path}` : iconOf(built ?? "");
  const head = markup`<title>${web.title}</title>${
    icon !== undefined &&
    markup`
    <link rel="icon" type="${typeOf(icon)}" href="${icon}">`
  }`;
  const page = built?.replace(BUILT, () => head.text);

  return async function show(req: Request, res: Response) {
    const uid = `${req.params.uid}`;
    const asked = await provider.asked(uid);
    if (asked === undefined) return sendSignInFault(res, 404, "not_found", "this sign-in is over");
    if (page === undefined)
      return sendSignInFault(res, 500, "server_error", "the page of sign-ins is missing");
    // Without its script nobody can be asked whether somebody is there.
    const without = markup`<noscript><meta http-equiv="refresh" content="0; url=${uid}/no-script"></noscript>`;
    const body = asked.isSilent ? page.replace(NO_SCRIPT, () => without.text) : page;
    return sendAnswer(res, { status: 200, headers: HEADERS, body });
  };
}
