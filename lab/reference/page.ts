import type { AsyncApi } from "../../sidecar/contracts/asyncapi.ts";
import type { OpenApi } from "../../sidecar/contracts/openapi.ts";
import { calls, callTable, errorTable, headerTable, securityTable } from "./calls.ts";
import { chat } from "./chat.ts";
import { parts, prose, toHeading } from "./markdown.ts";
import { schemas } from "./schemas.ts";

/** The command that writes the page. */
export const COMMAND = "npm run reference";

/** The page of the reference, in Markdown, from the two documents as a service serves them. */
export const referencePage = (rest: OpenApi, async: AsyncApi): string =>
  `${parts(
    "# Reference",
    prose(
      `Every call and every message, as \`/openapi.json\` and \`/asyncapi.json\` describe them where nothing is configured: ${rest.info.title} and ${async.info.title}. \`${COMMAND}\` makes this page from them. [The web interface](web-api.md) is the guide.`,
    ),
    callTable(rest),
    prose(
      `Further down: ${["Chat messages", "Errors", "Headers", "Sessions and keys", "Schemas"].map(one => toHeading(one)).join(", ")}.`,
    ),
    "## What holds for all calls",
    prose(rest.info.description),
    calls(rest),
    chat(async),
    "## Errors",
    errorTable(rest),
    "## Headers",
    headerTable(rest),
    "## Sessions and keys",
    securityTable(rest),
    "## Schemas",
    schemas(rest.components.schemas),
  )}\n`;
