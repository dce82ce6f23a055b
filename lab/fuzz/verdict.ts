import { messageOf } from "../../cli/errno.ts";
import { BRIDGE_ERRORS } from "../../shared/frames.ts";
import { checkJson, object, optional, text } from "../../shared/guard.ts";
import { chatMessage } from "../../shared/public/chat.ts";
import type { ServiceErrorCode } from "../../shared/public/words.ts";
import { ERRORS } from "../../sidecar/http/errors.ts";
import { readBlock, takeBlocks } from "../reference/stream.ts";
import type { DoorName, Input } from "./input.ts";
import { type RawAnswer, readAnswers, STREAM_TYPE } from "./request.ts";

/** What became of an input: what is wrong with it, and the outcome for the table. */
export interface Verdict {
  outcome: string;
  faults: string[];
}

/** What nobody may be sent. */
type Secrets = readonly string[];

/** Judges everything that came back over the connection of an input. */
export function verdictOn(input: Input, received: Buffer, secrets: Secrets): Verdict {
  const { answers, rest } = readAnswers(received);
  const isSocket = answers.at(-1)?.status === 101;
  const faults = answers.flatMap(answer => misfit(input.door, answer));
  const words = received.toString("latin1");
  if (secrets.some(secret => words.includes(secret))) faults.push("a secret is in the answer");
  if (/\bat \S+ \(|node:internal|node_modules/.test(words)) faults.push("a stack trace is in the answer");
  if (isSocket) faults.push(...misfitOfFrames(rest));
  else if (rest.length > 0) faults.push("an answer is not whole");
  if (answers.length === 0 && input.isWhole) faults.push("there is no answer");
  const outcome = answers.length === 0 ? "closed" : answers.map(({ status }) => status).join(" ");
  return { outcome: answers.length > 3 ? "several" : outcome, faults };
}

const errorBody = object({ error: optional(text(64)), status: optional(text(64)) });
const isError = (code = ""): code is ServiceErrorCode => Object.hasOwn(ERRORS, code);

/** Whether Node itself has refused what is no HTTP. */
const isOfParser = (status: number, headers: RawAnswer["headers"]): boolean =>
  [400, 408, 413, 431].includes(status) && !headers.has("x-content-type-options");

/** What is not described about an answer. */
function misfit(door: DoorName, { status, headers, body }: RawAnswer): string[] {
  const type = headers.get("content-type") ?? "";
  const what = `${status} ${type}`;
  if (status === 500) return [`${what}: a fault of the service`];
  if (type === STREAM_TYPE) return status === 200 ? misfitOfStream(body.toString()) : [what];
  if (status < 400) return status < 200 && status !== 100 && status !== 101 ? [what] : [];
  // Described without a body, refused by the parser, or asked with HEAD.
  if (isOfParser(status, headers)) return [];
  if (body.length === 0)
    return [401, 409].includes(status) || headers.get("content-length") !== "0"
      ? []
      : [`${what}: expected a body`];
  if (!type.startsWith("application/json")) return [`${what}: expected JSON`];
  const read = checkJson(errorBody, body.toString());
  if ("fault" in read) return [`${what}: ${read.fault}`];
  const { error, status: state } = read.value;
  if (door === "bridge")
    return Object.entries(BRIDGE_ERRORS).some(([code, its]) => code === error && its === status)
      ? []
      : [`${what}: ${error} is not described`];
  if (status === 409 || (status === 503 && state === "unavailable")) return [];
  const isKnown =
    isError(error) && (ERRORS[error] === status || (error === "invalid_body" && status === 413));
  return isKnown ? [] : [`${what}: ${error} is not described`];
}

function misfitOfStream(text: string): string[] {
  try {
    for (const block of takeBlocks(text).blocks) readBlock(block);
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}

const CLOSE_CODES = [1000, 1001, 1002, 1003, 1007, 1008, 1009];

/** What is wrong with the frames that a socket was sent. */
function misfitOfFrames(bytes: Buffer): string[] {
  let rest = bytes;
  while (rest.length >= 2) {
    const [first = 0, second = 0] = rest;
    const wide = second === 126 ? 2 : second === 127 ? 8 : 0;
    if (rest.length < 2 + wide) break;
    const length =
      wide === 2 ? rest.readUInt16BE(2) : wide === 8 ? Number(rest.readBigUInt64BE(2)) : second & 0x7f;
    const payload = rest.subarray(2 + wide, 2 + wide + length);
    if (payload.length < length) break;
    const fault = misfitOfFrame(first, payload);
    if (fault !== undefined) return [fault];
    rest = rest.subarray(2 + wide + length);
  }
  return rest.length > 0 ? ["a frame is not whole"] : [];
}

function misfitOfFrame(first: number, payload: Buffer): string | undefined {
  if (first === 0x8a) return undefined;
  if (first === 0x88) {
    const code = payload.length < 2 ? 1005 : payload.readUInt16BE(0);
    return payload.length < 2 || CLOSE_CODES.includes(code) || (code >= 3000 && code < 5000)
      ? undefined
      : `closed with ${code}`;
  }
  if (first !== 0x81) return `a frame begins with ${first}`;
  const read = checkJson(chatMessage, payload.toString());
  return "fault" in read ? `a message: ${read.fault}` : undefined;
}
