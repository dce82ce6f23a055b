import { describe, expect, it } from "@jest/globals";
import type { Input } from "../../lab/fuzz/input.ts";
import { verdictOn } from "../../lab/fuzz/verdict.ts";

const SECRET = "the-secret";
const asked: Input = { door: "public", kind: "call", pieces: [], isWhole: true };
const answer = (status: string, body: string, type = "application/json; charset=utf-8"): string =>
  `HTTP/1.1 ${status}\r\nX-Content-Type-Options: nosniff\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const faultsOf = (received: string, more: Partial<Input> = {}): string[] =>
  verdictOn({ ...asked, ...more }, Buffer.from(received, "latin1"), [SECRET]).faults;
const frame = (text: string): string => `\x81${String.fromCharCode(text.length)}${text}`;
const STREAM = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nretry: 2000\n\n";
const SOCKET = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n";

describe("an answer is a fault when it is", () => {
  it.each<[string, string, Partial<Input>?]>([
    ["missing", ""],
    ["a page", answer("404 Not Found", "<h1>oops</h1>", "text/html")],
    ["a fault of the service", answer("500 Internal Server Error", '{"error":"unexpected_result"}')],
    ["an error that is not described", answer("400 Bad Request", '{"error":"oops"}')],
    ["an error with the status of another", answer("404 Not Found", '{"error":"rate_limited"}')],
    [
      "an error of the other listener",
      answer("404 Not Found", '{"error":"rate_limited"}'),
      { door: "bridge" },
    ],
    ["an error without a body", answer("404 Not Found", "")],
    ["cut off", answer("200 OK", '{"status":"up"}').slice(0, -3)],
    ["torn by another", answer("200 OK", "{}").replace("{}", "HTTP/1.1 100 Continue\r\n\r\n{}")],
    ["a secret", answer("200 OK", `{"key":"${SECRET}"}`)],
    ["a stack trace", answer("200 OK", "at Server.on (node:internal/x)")],
    ["a frame of another kind", `${SOCKET}\x82\x01x`],
    ["a frame that is cut off", `${SOCKET}\x81\x7dx`],
    ["a message of another type", SOCKET + frame('{"type":"NO","content":"x"}')],
    ["a message that is no JSON", SOCKET + frame('{"type":')],
    ["an error that is no JSON", answer("404 Not Found", "{")],
    ["a stream with a line that is none of a stream", `${STREAM}news\n\n`],
    ["a stream with data that is no JSON", `${STREAM}event: gap\ndata: {\n\n`],
    ["a close with a code of nobody", `${SOCKET}\x88\x02\x03\x01`],
  ])("%s", (_what, received, ...[more]) => {
    expect(faultsOf(received, more)).not.toEqual([]);
  });
});

describe("an answer is as it should be when it is", () => {
  it.each<[string, string, Partial<Input>?]>([
    ["what was asked for", answer("200 OK", "{}")],
    ["a stream", `${STREAM}id: 1-1\nevent: gap\ndata: {}\n\n: heart`],
    ["an error as described", answer("429 Too Many Requests", '{"error":"rate_limited"}')],
    ["an error of the bridge", answer("409 Conflict", '{"error":"unknown_session"}'), { door: "bridge" }],
    ["one of two to be asked on", `HTTP/1.1 100 Continue\r\n\r\n${answer("200 OK", "{}")}`],
    ["without the body that HEAD does not want", answer("404 Not Found", "{}").slice(0, -2)],
    ["of the parser", "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"],
    ["not there, to what was no request", "", { isWhole: false }],
    ["a message", SOCKET + frame('{"type":"PONG","content":"x"}')],
    ["a close of the protocol", `${SOCKET}\x88\x02\x03\xea`],
  ])("%s", (_what, received, ...[more]) => {
    expect(faultsOf(received, more)).toEqual([]);
  });
});
