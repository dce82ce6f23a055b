import { type Calls, WITHOUT_GAME } from "./call.ts";
import type { Parameter } from "./events.ts";

const ASK = {
  name: "uid",
  in: "path",
  required: true,
  description: "The sign-in, as the address of its page names it.",
  schema: { type: "string" },
  example: "PZm0cXhu5rXo3kWv9sJ2q",
} satisfies Parameter;

/** What other sites ask of this one is the matter of their standard, and described where that says. */
export const SIGN_IN_CALLS: Calls = {
  "get /session/forward": {
    id: "forward",
    tag: "Signing in",
    summary: "Whether a proxy may let this browser through",
    description: `For \`auth_request\` of nginx and \`forward_auth\` of Caddy, on the same host name as the service. A page of any origin may be behind the request. ${WITHOUT_GAME}`,
    rate: "not counted for a proxy of `trust-proxy`.",
    never: "origin_not_allowed",
    security: "maybeSession",
    answers: {
      200: {
        description: "A player is linked to the browser, who is named in the headers.",
        headers: ["X-Player-Uuid", "X-Player-Name"],
      },
      401: { description: "Nobody is, or the browser sent no session." },
    },
    errors: ["unexpected_result", "server_unavailable"],
  },
  "get /session/sites": {
    id: "getSites",
    tag: "Signing in",
    summary: "Sites that know who this browser's player is",
    description: `An end of the link ends them all. ${WITHOUT_GAME}`,
    security: "session",
    answers: { 200: { description: "The sites.", body: "KnownSites" } },
    errors: ["unexpected_result", "server_unavailable"],
  },
  "delete /session/sites/{id}": {
    id: "endSite",
    tag: "Signing in",
    summary: "Tell a site nothing any more",
    description: `What was given out to it counts no longer, and it has to ask again. ${WITHOUT_GAME}`,
    security: "session",
    parameters: [
      {
        name: "id",
        in: "path",
        required: true,
        description: "Id of the site.",
        schema: { type: "string" },
        example: "tea-house",
      },
    ],
    answers: { 200: { description: "It is ended.", body: "SiteEnded" } },
    errors: ["not_found", "unexpected_result", "server_unavailable"],
  },
  "get /sign-in/ask/{uid}/state": {
    id: "getSignIn",
    tag: "Signing in",
    summary: "Where the sign-in of this browser stands",
    description: `For the page of the sign-in, which asks its own origin; the cookies of the sign-in have to come along. Ask again every second or two while it is \`waiting\`. ${WITHOUT_GAME}`,
    security: "session",
    parameters: [ASK],
    answers: { 200: { description: "The sign-in.", body: "SignInState" } },
    errors: ["not_found", "unexpected_result", "server_unavailable"],
  },
  "post /sign-in/ask/{uid}/player": {
    id: "askForSignIn",
    tag: "Signing in",
    summary: "Ask a player in the game whether she signs in to the site",
    description:
      "As `POST /link-player`, with the name of the site in the form. A player who is linked to the browser already stays so whatever she answers.",
    rate: "counted with the requests of `POST /link-player`.",
    security: "session",
    parameters: [ASK],
    request: "LinkRequest",
    answers: {
      202: { description: "The player is being asked.", body: "VerificationSent" },
      409: {
        description: "A request of this session is open already. It has `status` and no `error`.",
        body: "AlreadyPending",
      },
    },
    errors: [
      ...(["missing_username", "player_offline", "not_found"] as const),
      ...(["unexpected_result", "server_unavailable"] as const),
    ],
    fieldErrors: ["unknown_server"],
  },
  "post /sign-in/ask/{uid}/go-on": {
    id: "signInAs",
    tag: "Signing in",
    summary: "Go on to the site as the player who is offered",
    description: `That is her yes to the site. ${WITHOUT_GAME}`,
    security: "session",
    parameters: [ASK],
    request: "GoOnRequest",
    answers: { 200: { description: "Where the page goes on.", body: "SignInEnd" } },
    errors: ["not_linked", "not_found", "unexpected_result", "server_unavailable"],
  },
  "post /sign-in/ask/{uid}/silent": {
    id: "signInSilently",
    tag: "Signing in",
    summary: "End a sign-in that must not show anything",
    description: `With a code, or with \`login_required\` or \`consent_required\` for the site. A body is not read. ${WITHOUT_GAME}`,
    security: "maybeSession",
    parameters: [ASK],
    answers: { 200: { description: "Where the page goes on.", body: "SignInEnd" } },
    errors: ["not_found", "unexpected_result", "server_unavailable"],
  },
  "post /sign-in/ask/{uid}/cancel": {
    id: "cancelSignIn",
    tag: "Signing in",
    summary: "Give up a sign-in",
    description: `The site hears \`access_denied\`, and a form that is open in the game goes. A body is not read. ${WITHOUT_GAME}`,
    security: "maybeSession",
    parameters: [ASK],
    answers: { 200: { description: "Where the page goes on.", body: "SignInEnd" } },
    errors: ["not_found", "unexpected_result", "server_unavailable"],
  },
};
