import { describe, expect, it } from "@jest/globals";
import { asyncApi } from "../../sidecar/features/docs/asyncapi.ts";
import type { OpenApiAnswer } from "../../sidecar/features/docs/openapi.ts";
import type { Header, Reference } from "../../sidecar/kernel/http/description.ts";
import { ERRORS, FIELD_ERRORS } from "../../sidecar/kernel/http/errors.ts";
import { openApi } from "../../sidecar/routes.ts";
import { ask } from "../helpers/client.ts";
import { contractOf } from "../helpers/contract.ts";
import { startTestSidecar, testConfig } from "../helpers/sidecar.ts";

const { api } = testConfig().modules;
const rest = openApi(api);
const chat = asyncApi(api);
const contract = contractOf("http://127.0.0.1:1");

const calls = Object.entries(rest.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);
const answers = [
  ...calls.flatMap(({ path, method, operation }) =>
    Object.entries(operation.responses).map(([status, answer]) => ({ path, method, status, answer })),
  ),
  ...Object.entries(rest["x-other-answers"]).map(([status, answer]) => {
    const method = { 204: "OPTIONS", 405: "PUT" }[status] ?? "GET";
    const path = { 400: "http://[/x", 404: "/no-such-path" }[status] ?? "/status";
    return { path, method, status, answer };
  }),
].map(one => [`${one.method} ${one.path}: ${one.status}`, one] as const);

const isHeader = (header: Header | Reference): header is Header => !("$ref" in header);
const headerOf = (header: Header | Reference): Header | undefined =>
  isHeader(header) ? header : rest.components.headers[header.$ref.split("/").at(-1) ?? ""];

/** The examples of response headers, in their sent form. */
function exampleHeaders({ headers, content }: OpenApiAnswer): Headers {
  const sent = Object.entries(headers).map(([name, header]) => [name, `${headerOf(header)?.example}`]);
  const types = Object.keys(content ?? {});
  const type = types.includes("application/json") ? "application/json; charset=utf-8" : types[0];
  return new Headers([...sent, ...(type === undefined ? [] : [["Content-Type", type]])] as [
    string,
    string,
  ][]);
}

it("the examples of streams match their schemas", () => {
  const streams = answers.flatMap(([, { path, method, answer }]) =>
    Object.values(answer.content?.["text/event-stream"]?.examples ?? {}).map(({ value }) => ({
      path,
      method,
      text: String(value),
    })),
  );
  expect(streams.length).toBeGreaterThan(0);
  const headers = new Headers({
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store, no-transform",
    "X-Request-Id": "one",
  });
  for (const stream of streams)
    contract.answer({ ...stream, status: 200, header: name => headers.get(name) });
});

describe("the examples of responses", () => {
  it.each(answers)("match the schemas of %s", (_what, { path, method, status, answer }) => {
    const headers = exampleHeaders(answer);
    const { "application/json": json, "text/event-stream": _stream, ...others } = answer.content ?? {};
    const texts = [
      ...Object.values(json?.examples ?? {}).map(({ value }) => JSON.stringify(value)),
      ...Object.values(others).flatMap(({ examples }) => Object.values(examples).map(one => `${one.value}`)),
      ...(answer.content ? [] : [""]),
    ];
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts)
      contract.answer({ path, method, status: Number(status), header: name => headers.get(name), text });
  });

  it("have every error code, each with its status", () => {
    const examples = new Set<string>();
    for (const [what, { status, answer }] of answers)
      for (const { value } of Object.values(answer.content?.["application/json"]?.examples ?? {})) {
        if (typeof value !== "object" || value === null || !("error" in value)) continue;
        const code = value.error as keyof typeof ERRORS;
        examples.add(code);
        const others = { ...FIELD_ERRORS, invalid_body: 413 };
        const statuses = [ERRORS[code], ...(code in others ? [others[code as keyof typeof others]] : [])];
        expect([what, statuses]).toEqual([what, expect.arrayContaining([Number(status)])]);
      }
    expect([...examples].sort()).toEqual(Object.keys(ERRORS).sort());
  });

  it("have every code of a response, and no other", () => {
    for (const [what, { answer }] of answers) {
      const { schema, examples = {} } = answer.content?.["application/json"] ?? {};
      const { error } = (schema?.properties ?? {}) as { error?: { enum: string[] } };
      if (error) expect([what, Object.keys(examples).sort()]).toEqual([what, [...error.enum].sort()]);
    }
  });
});

describe("the examples of requests", () => {
  it.each(
    calls.flatMap(({ operation }) =>
      operation.requestBody ? [[operation.operationId, operation.requestBody] as const] : [],
    ),
  )("of %s fit their schema", (_id, { content }) => {
    const { schema, examples } = content["application/json"];
    expect(Object.keys(examples).length).toBeGreaterThan(0);
    for (const { value } of Object.values(examples)) expect(contract.misfit(schema, value)).toBeUndefined();
  });
});

describe("the examples of messages", () => {
  it.each(Object.entries(chat.channels.chat.messages))("of %s match their schemas", (name, { examples }) => {
    const sent = chat.operations.sendToBrowser.messages.some(({ $ref }) => $ref.endsWith(`/${name}`));
    expect(examples.length).toBeGreaterThan(0);
    for (const { payload } of examples) {
      const text = JSON.stringify(payload);
      if (sent) contract.fromService(text);
      else expect(contract.fromClient(text)).toBe(true);
    }
  });
});

describe("the documents", () => {
  it("have a success of every call, and 101 of the WebSocket", () => {
    for (const { path, operation } of calls) {
      const statuses = Object.keys(operation.responses);
      expect([
        path,
        statuses.some(status => (path === "/chat" ? status === "101" : /^2\d\d$/.test(status))),
      ]).toEqual([path, true]);
    }
  });

  it("have the values of the configuration", async () => {
    const side = await startTestSidecar({
      yaml: `modules.api:
  heartbeat-interval: 90s
  session-cookie: {name: visitor, max-age: 2d}
  events: {keep: 20, keep-for: 5m}
  limits: {message-length: 77, body-bytes: 2048}`,
    });
    const [openapi, asyncapi] = [
      await ask(side.base, "/openapi.json"),
      await ask(side.base, "/asyncapi.json"),
    ];
    await side.stop();
    expect(openapi.json).toEqual(openApi(side.config.modules.api));
    expect(asyncapi.json).toEqual(asyncApi(side.config.modules.api));
    for (const words of [
      '"name":"visitor"',
      "visitor=",
      "Max-Age=172800;",
      "for 2 days",
      "2 KiB",
      "20 events of the last 5 minutes",
    ])
      expect(openapi.text).toContain(words);
    for (const words of ["PING every 90 seconds", "77 UTF-16", '"maxLength":77', "`visitor`"])
      expect(asyncapi.text).toContain(words);
    expect(`${openapi.text}${asyncapi.text}`).not.toContain(side.config.modules.api.adminApiKey);
  });
});
