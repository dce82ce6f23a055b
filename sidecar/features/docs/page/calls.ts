import type { Scope } from "../../../../shared/public/words.ts";
import type { Parameter } from "../../../kernel/http/description.ts";
import { type Markup, markup, type TemplateValue } from "../../../kernel/http/markup.ts";
import type { OpenApi, OpenApiAnswer, Operation } from "../openapi.ts";
import { accessOf, type Call, callsOf, errorsOf, headerNames, isError, needsKey, scopeOf } from "../words.ts";
import { captioned, copied, fold, inline, json, prose, referred, slug, terms, type } from "./blocks.ts";
import { curl, isUsual, keyVariable, SHOWN, script } from "./snippets.ts";

/** Calls that may lack an error that is listed once for all calls; its meaning names them. */
const MAX_WITHOUT = 2;

/** Codes of the errors that nearly every call can return, which the page lists once. */
export function commonErrors(api: OpenApi): Set<string> {
  const all = callsOf(api).map(
    ({ operation }) => new Set(errorsOf(operation.responses).map(({ code }) => code)),
  );
  const without = (code: string): number => all.filter(codes => !codes.has(code)).length;
  return new Set(all.flatMap(codes => [...codes]).filter(code => without(code) <= MAX_WITHOUT));
}

/** Errors with their meanings, by status. `isSearched`: the search of the page finds each of them. */
export const errorTerms = (errors: ReturnType<typeof errorsOf>, isSearched = false): Markup | undefined =>
  terms(
    errors.map(({ status, code, meaning, headers }) => [
      markup`${status} <code>${code}</code>`,
      [inline(meaning), headers !== "" && markup` <span class="soft">With ${inline(headers)}.</span>`],
    ]),
    isSearched,
  );

/** Anchor of a call: `post-kick`. */
export const callId = ({ method, path }: Pick<Call, "method" | "path">): string =>
  slug(`${method} ${path}`).replace(/-$/, "");

/** The documentation of one call. */
export function call(placed: Call, api: OpenApi, common: ReadonlySet<string>): Markup {
  const { method, path, operation } = placed;
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const title = markup`<span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code>`;
  const scope = scopeOf(operation);
  const errors = errorsOf(responses).filter(({ code }) => !common.has(code));
  return fold(
    { level: 3, id: callId(placed), text: `${method} ${path}`, title, note: summary, isEntry: true },
    markup`${prose(description)}
<p>Access: ${inline(accessOf(operation))}.${scope && howToGet(scope)}</p>
${samples(placed, api.components.securitySchemes.adminKey.name)}
${parameters.length > 0 && markup`<h4>Parameters</h4>${terms(parameters.map(parameter))}`}
${requestBody && request(requestBody)}
<h4>Responses</h4>
${terms(Object.entries(responses).flatMap(([status, answer]) => success(status, answer)))}
${errors.length > 0 && markup`<h4>Errors</h4>${errorTerms(errors)}`}
<p class="soft">Also the <a href="#any-call">errors of every call</a>.</p>`,
  );
}

/** Where a key with a scope comes from, if `admin-api-key` does not have it. */
const howToGet = (scope: Scope): TemplateValue =>
  !isUsual(scope) &&
  markup` <code>admin-api-key</code> does not have it. To create such a key: <code>./web-bridge key &lt;name&gt; --scopes ${scope} --write</code>`;

/** The call to copy; none for a WebSocket, which has its example beside its messages. */
function samples(placed: Call, keyName: string): TemplateValue {
  const { responses } = placed.operation;
  const scope = scopeOf(placed.operation);
  if ("101" in responses) return undefined;
  const isImage = Object.keys(responses[200]?.content ?? {}).some(one => one.startsWith("image/"));
  return [
    isImage && markup`<p><img src="${placed.path.slice(1)}" alt="The image as it is now"></p>`,
    isImage && copied("HTML", `<img src="${SHOWN}${placed.path}" alt="Game server">`),
    needsKey(placed.operation) &&
      markup`<p><code>${keyVariable(scope)}</code> stands for a key${scope && markup` with the scope <code>${scope}</code>`}.</p>`,
    copied("curl", curl(placed, keyName)),
    copied("JavaScript", script(placed, keyName)),
  ];
}

function parameter(one: Parameter): [TemplateValue, TemplateValue] {
  const { name, in: where, required, schema, description, example } = one;
  return [
    markup`<code>${name}</code> <span class="soft">${where}${required && ", required"}</span>`,
    [
      markup`<span class="type">${type(schema)}</span> ${inline(description)}`,
      markup` <span class="soft">Example: <code>${`${example}`}</code></span>`,
    ],
  ];
}

function request({ description, content }: NonNullable<Operation["requestBody"]>): Markup {
  const { schema, examples } = content["application/json"];
  return markup`<h4>Request</h4>
<p>${referred(schema.$ref)}. ${description}</p>
${Object.values(examples).map(({ summary, value }) => captioned(summary, json(value)))}`;
}

/** Description of a response that is not an error. */
function success(status: string, answer: OpenApiAnswer): [TemplateValue, TemplateValue][] {
  const { content = {}, description } = answer;
  const { "application/json": body, "text/event-stream": events, ...others } = content;
  const examples = Object.values(body?.examples ?? {});
  if (examples.some(({ value }) => isError(value))) return [];
  const [other] = Object.keys(others);
  const headers = headerNames(answer);
  return [
    [
      markup`${status} ${body ? type(body.schema) : other && markup`<code>${other}</code>`}`,
      [
        inline(description),
        headers !== "" && markup` <span class="soft">With ${inline(headers)}.</span>`,
        events && stream(events),
        examples.map(({ summary, value }) => captioned(summary, json(value))),
      ],
    ],
  ];
}

type Events = NonNullable<NonNullable<OpenApiAnswer["content"]>["text/event-stream"]>;

/** The events of a response that may be a stream. */
const stream = ({ "x-events": events, examples }: Events): Markup => markup`<h4>Events of the stream</h4>
${terms(
  Object.entries(events).map(([name, { data, description, id }]) => [
    markup`<code>${name}</code> ${referred(data.$ref)}`,
    [inline(description), !id && " Without an id."],
  ]),
)}
${Object.values(examples).map(({ summary, value }) => captioned(summary, `${value}`.trimEnd()))}`;
