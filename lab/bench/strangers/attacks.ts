import { randomUUID } from "node:crypto";
import { stagesOf, upgrade } from "../../../test/helpers/resets.ts";

/** What a stranger does on many connections at once, each of which is opened anew a moment after it has ended. */
export interface Attack {
  about: string;
  connections: number;
  /** addresses that they come from, by turns; one where that is missing */
  addresses?: number;
  /** What is sent as soon as a connection is open, byte by byte: `n` counts all that is sent, `files` are the page's. */
  ask(n: number, files: readonly string[]): string;
  /** how often it is asked ahead; once where that is missing */
  ahead?: number;
  /** nothing: no answer is read; again: each answer is followed by another request */
  reads: "all" | "again" | "nothing";
  /** sent again and again behind it */
  further?: { everyMs: number; bytes: string };
  /** how often a connection is reset and opened anew, in milliseconds; only when it has ended where that is missing */
  anewMs?: number;
}

const HOST = "Host: localhost";

const request = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, HOST, ...headers, "", ""].join("\r\n");

const LIST = "GET /events?format=json&limit";
const list = (): string => request(`${LIST}=500`);

/** A text frame as clients send it, under a mask of zeros. */
function frame(text: string): string {
  const bytes = Buffer.from(text);
  const head = [0x81, 0x80 | 126, bytes.length >> 8, bytes.length & 0xff, 0, 0, 0, 0];
  return Buffer.concat([Buffer.from(head), bytes]).toString("latin1");
}

const LINE_LENGTH = 500;
const lines = ["\u200b", "\ufdfd"].map(character =>
  frame(JSON.stringify({ type: "CHAT", content: character.repeat(LINE_LENGTH) })),
);

function link(n: number): string {
  const body = JSON.stringify({ username: `Player ${n % 10}` });
  const cookie = `Cookie: website_user_uuid=${randomUUID()}`;
  const head = request(
    "POST /link-player",
    cookie,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  );
  return head + body;
}

const stages = Object.values(stagesOf("/chat", "/status", HOST));

/** What a stranger does, mostly at one address, by the end of the row's name. */
export const ATTACKS = {
  lists: {
    about: "asks for the longest list of events, 30 ahead on each of 60 connections, and reads",
    connections: 60,
    ahead: 30,
    ask: list,
    reads: "again",
  },
  "lists-unread": {
    about:
      "asks 1,500 times for the longest list of events on 50 connections and reads nothing; anew every 4 s",
    connections: 50,
    ahead: 30,
    ask: list,
    reads: "nothing",
    anewMs: 4_000,
  },
  "lists-gzip": {
    about: "asks for 20 long lists of events every 4 s, compressed, each another one",
    connections: 20,
    ask: n => request(`${LIST}=${500 - (n % 50)}&since=${n}`, "Accept-Encoding: gzip"),
    reads: "all",
    anewMs: 4_000,
  },
  streams: {
    about: "opens 1,990 streams that have missed everything; anew every 2 s",
    connections: 1_990,
    ask: () => request("GET /events?since=0"),
    reads: "all",
    anewMs: 2_000,
  },
  chat: {
    about: `says lines of ${LINE_LENGTH} invisible or wide characters on 500 sockets: 20 each at once, then 2 a second`,
    connections: 500,
    ask: n => upgrade("/chat", HOST) + (lines[n % 2] ?? "").repeat(20),
    reads: "all",
    further: { everyMs: 500, bytes: lines[1] ?? "" },
  },
  links: {
    about:
      "asks to be linked to players online, 10 ahead on each of 60 connections, each time as another browser",
    connections: 60,
    ahead: 10,
    ask: link,
    reads: "again",
  },
  "over-rate": {
    about:
      "goes on asking past its rate, 30 ahead on each of 300 connections, and comes back when it is closed",
    connections: 300,
    ahead: 30,
    ask: () => request("GET /server"),
    reads: "again",
  },
  idle: {
    about: "opens 2,500 connections and says nothing; anew every 4 s",
    connections: 2_500,
    ask: () => "",
    reads: "all",
    anewMs: 4_000,
  },
  "snapshots-unread": {
    about:
      "asks for status and players, 30 ahead on each of 300 connections, and reads nothing; anew every 4 s",
    connections: 300,
    ahead: 30,
    ask: n => request(n % 2 === 0 ? "GET /status" : "GET /players"),
    reads: "nothing",
    anewMs: 4_000,
  },
  resets: {
    about: `opens 200 connections and resets each after 50 ms, in ${stages.length} ways: upgrades that are taken, refused or broken, and halves of requests`,
    connections: 200,
    ask: n => stages[n % stages.length] ?? "",
    reads: "all",
    anewMs: 50,
  },
  "files-unread": {
    about:
      "asks for the files of the console, 30 ahead on each of 300 connections, and reads nothing; anew every 4 s",
    connections: 300,
    ahead: 30,
    ask: (n, files) => request(`GET /${files[n % files.length]}`),
    reads: "nothing",
    anewMs: 4_000,
  },
  "six-unread": {
    about:
      "asks from six addresses for long lists of events, 8 ahead on each of 60 connections, and reads nothing",
    connections: 60,
    addresses: 6,
    ahead: 8,
    ask: list,
    reads: "nothing",
  },
} as const satisfies Record<string, Attack>;
export type AttackName = keyof typeof ATTACKS;
