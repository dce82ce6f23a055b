import { stagesOf, upgrade } from "../../../test/helpers/flood.ts";

/** The behaviour of one hostile address on many connections. */
export interface Attack {
  about: string;
  connections: number;
  /** Sent once a connection is open, as latin1; `n` is the number of the connection. */
  first(n: number): string;
  /** sent after it continuously, as fast as the connection accepts it */
  further?: string;
  /** sent after each response */
  again?: string;
  /** responses are not read */
  unread?: true;
  /** time after which a connection is reset and opened again; undefined: only after the service has closed it */
  resetMs?: number;
}

const HOST = "Host: localhost";
const AHEAD = 30;
const PIECE_BYTES = 64 * 1024;

const request = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, HOST, ...headers, "", ""].join("\r\n");

/** Repeats a text up to about 64 KiB. */
const repeated = (text: string): string => text.repeat(Math.ceil(PIECE_BYTES / text.length));

/** A client's text frame of less than 126 bytes, with a mask of zeros. */
function frame(text: string): string {
  const bytes = Buffer.from(text);
  const head = [0x81, 0x80 | bytes.length, 0, 0, 0, 0];
  return Buffer.concat([Buffer.from(head), bytes]).toString("latin1");
}

const SERVER = request("GET /server");
const LIST = request("GET /events?format=json&limit=500");
const STAGES = Object.values(stagesOf("/chat", "/status", HOST));
const JSON_BODY = "Content-Type: application/json";
const LINE = frame(JSON.stringify({ type: "CHAT", content: "a line of the chat" }));

/** The attacks, by the end of the name of their row. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  "requests-ahead": {
    about: `sends ${AHEAD} requests ahead on each of 300 connections, and another one for each response`,
    connections: 300,
    first: () => SERVER.repeat(AHEAD),
    again: SERVER,
  },
  "deep-pipelines": {
    about: "sends requests on 20 connections as fast as they are accepted, without waiting for responses",
    connections: 20,
    first: () => "",
    further: repeated(request("GET /status")),
  },
  "one-byte-chunks": {
    about: "sends bodies in chunks of one byte on 100 connections, as fast as they are accepted",
    connections: 100,
    first: () => request("POST /link-player", JSON_BODY, "Transfer-Encoding: chunked"),
    further: repeated("1\r\n{\r\n"),
  },
  "event-lists": {
    about: `requests the longest list of events, ${AHEAD} ahead on each of 60 connections, and reads`,
    connections: 60,
    first: () => LIST.repeat(AHEAD),
    again: LIST,
  },
  "unread-answers": {
    about: `requests the longest list of events, ${AHEAD} ahead on each of 50 connections, and reads nothing`,
    connections: 50,
    first: () => LIST.repeat(AHEAD),
    unread: true,
    resetMs: 4_000,
  },
  "catching-up": {
    about: "opens 4,000 streams that have missed everything, again every 4 s",
    connections: 4_000,
    first: () => request("GET /events?since=0"),
    resetMs: 4_000,
  },
  resets: {
    about: `resets each of 200 connections after 50 ms and opens it again, in ${STAGES.length} stages of a request`,
    connections: 200,
    first: n => STAGES[n % STAGES.length] ?? "",
    resetMs: 50,
  },
  idle: {
    about: "opens 2,500 connections and sends nothing, again every 4 s",
    connections: 2_500,
    first: () => "",
    resetMs: 4_000,
  },
  "late-bodies": {
    about: "keeps sending a body on each of 30 connections after the response",
    connections: 30,
    first: () => request("POST /nowhere", JSON_BODY, "Content-Length: 1000000000"),
    further: "a".repeat(PIECE_BYTES),
  },
  "chat-lines": {
    about: "sends chat messages on 500 sockets as fast as they are accepted",
    connections: 500,
    first: () => upgrade("/chat", HOST),
    further: repeated(LINE),
  },
};
