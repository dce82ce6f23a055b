import type { Parameter } from "../../../kernel/http/description.ts";
import { type Markup, markup, type TemplateValue } from "../../../kernel/http/markup.ts";
import type { OpenApi, OpenApiAnswer, Operation } from "../openapi.ts";
import { type Call, callsOf, errorsOf, headerNames, isError, who } from "../words.ts";
import { copied, heading, inline, json, prose, referred, shown, terms, type } from "./blocks.ts";
import { curl, SHOWN, script } from "./snippets.ts";

/** Calls that may lack an error which is told once for all: its meaning names them. */
const MOST_WITHOUT = 2;

/** The errors that whatever call may be answered with: they are told once. */
export function commonErrors(api: OpenApi): Set<string> {
  const all = callsOf(api).map(
    ({ operation }) => new Set(errorsOf(operation.responses).map(({ code }) => code)),
  );
  const without = (code: string): number => all.filter(codes => !codes.has(code)).length;
  return new Set(all.flatMap(codes => [...codes]).filter(code => without(code) <= MOST_WITHOUT));
}

/** Errors with their meanings, by status. */
export const errorTerms = (errors: ReturnType<typeof errorsOf>): Markup | undefined =>
  terms(
    errors.map(({ status, code, meaning, headers }) => [
      markup`${status} <code>${code}</code>`,
      [inline(meaning), headers !== "" && markup` <span class="soft">With ${inline(headers)}.</span>`],
    ]),
  );

/** Everything about one call. */
export function call(placed: Call, api: OpenApi, common: ReadonlySet<string>): Markup {
  const { method, path, operation } = placed;
  const { operationId: id, summary, description, parameters = [], requestBody, responses } = operation;
  const title = markup`<span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code>`;
  const caller = who(operation);
  const errors = errorsOf(responses).filter(({ code }) => !common.has(code));
  return markup`<section>
${heading(3, id, `${method} ${path}`, title)}
<p class="summary">${summary}</p>
${prose(description)}
<p>Who: ${caller === "anybody" ? caller : markup`<a href="#sessions-and-keys">${caller}</a>`}.</p>
${samples(placed, api.components.securitySchemes.adminKey.name)}
${parameters.length > 0 && markup`<h4>Parameters</h4>${terms(parameters.map(parameter))}`}
${requestBody && request(requestBody)}
<h4>Answers</h4>
${terms(Object.entries(responses).flatMap(([status, answer]) => success(status, answer)))}
${errors.length > 0 && markup`<h4>Errors</h4>${errorTerms(errors)}`}
<p class="soft">And <a href="#any-call">what any call may be answered</a>.</p>
</section>`;
}

/** The call to copy. A WebSocket is no call: it is told with its messages. */
function samples(placed: Call, keyName: string): TemplateValue {
  const { responses } = placed.operation;
  if ("101" in responses) return undefined;
  const isImage = Object.keys(responses[200]?.content ?? {}).some(one => one.startsWith("image/"));
  return [
    isImage && markup`<p><img src="${placed.path.slice(1)}" alt="The image at the moment"></p>`,
    isImage && copied("HTML", `<img src="${SHOWN}${placed.path}" alt="Game server">`),
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
      markup` <span class="soft">Such as <code>${`${example}`}</code>.</span>`,
    ],
  ];
}

function request({ description, content }: NonNullable<Operation["requestBody"]>): Markup {
  const { schema, examples } = content["application/json"];
  return markup`<h4>Request</h4>
<p>${referred(schema.$ref)}. ${description}</p>
${Object.values(examples).map(({ summary, value }) => shown(summary, json(value)))}`;
}

/** Description of an answer that is no error. */
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
        examples.map(({ summary, value }) => shown(summary, json(value))),
      ],
    ],
  ];
}

type Events = NonNullable<NonNullable<OpenApiAnswer["content"]>["text/event-stream"]>;

/** The events of an answer that may be a stream. */
const stream = ({ "x-events": events, examples }: Events): Markup => markup`<h4>Events of the stream</h4>
${terms(
  Object.entries(events).map(([name, { data, description, id }]) => [
    markup`<code>${name}</code> ${referred(data.$ref)}`,
    [inline(description), !id && " Without an id."],
  ]),
)}
${Object.values(examples).map(({ summary, value }) => shown(summary, `${value}`.trimEnd()))}`;
