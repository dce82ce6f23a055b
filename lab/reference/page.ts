import type { AsyncApi } from "../../sidecar/contracts/asyncapi.ts";
import { heading, inline, terms, type } from "../../sidecar/contracts/docs/blocks.ts";
import { docsPage } from "../../sidecar/contracts/docs/page.ts";
import { ALLOW } from "../../sidecar/contracts/headers.ts";
import type { OpenApi } from "../../sidecar/contracts/openapi.ts";
import { callsOf, code, who } from "../../sidecar/contracts/words.ts";
import { markup } from "../../sidecar/http/markup.ts";
import { markdownOf } from "./markdown.ts";

/** The command that writes the page. */
export const COMMAND = "npm run reference";

/** The page of `/docs` in Markdown, from the two documents as a service serves them, with a table of all calls and headers. */
export function referencePage(rest: OpenApi, async: AsyncApi): string {
  const page = docsPage(rest, async, { title: "", accent: "", icon: undefined }).text;
  const { text } = markup`<p>${inline(
    `Every call and every message, as \`/openapi.json\` and \`/asyncapi.json\` describe them where nothing is configured, and as a service that runs shows them at \`/docs\`. \`${COMMAND}\` makes this page.`,
  )}</p>
${terms(
  callsOf(rest).map(({ method, path, operation }) => [
    inline(`[${method} ${path}](#${operation.operationId})`),
    `${operation.summary}. Who: ${who(operation)}`,
  ]),
)}
${heading(2, "headers", "Headers of answers")}
${terms(
  Object.entries({ ...rest.components.headers, Allow: ALLOW }).map(([name, header]) => [
    markup`<code>${name}</code>`,
    [type(header.schema), ". ", inline(header.description), inline(` Such as ${code(`${header.example}`)}.`)],
  ]),
)}`;
  return `# Reference\n\n${markdownOf(text + page.slice(page.indexOf("<main"), page.indexOf("</main>")))}\n`;
}
