import type { Exception, MessageType } from "./types.ts";

/**
 * The result of sending a message. `read`: the service has read and relayed it; `refused`: it has not, except that with
 * `server unavailable` it reached other browsers and not the game; `unsent`: there was no connection, or too many messages were
 * waiting; `unconfirmed`: the connection was lost before an answer.
 */
export type SendResult =
  | { is: "read" }
  | { is: "refused"; why: Exception }
  | { is: "unsent" }
  | { is: "unconfirmed" };

/** Most queued messages: the service accepts few per second. */
const MAX_LINES = 100;

interface Line {
  text: string;
  settle(sent: SendResult): void;
  isSent: boolean;
  /** reason of the last rejection */
  refused?: Exception;
}

/** A message in the format of the chat. */
export const messageOf = (type: MessageType, content = ""): string => JSON.stringify({ type, content });

/**
 * A queue of messages, each followed by a PING. The service answers the PING once it has read the message, so that a rejection before the
 * answer is about this message. `write` sends a message, or returns false.
 */
export function createLines(write: (message: string) => boolean) {
  /** only the first may be sent already */
  const lines: Line[] = [];
  /** for each unanswered PING, the message before it */
  let pings: (Line | undefined)[] = [];

  function ping(after?: Line): void {
    if (write(messageOf("PING"))) pings.push(after);
  }

  function sendNext(): void {
    const [line] = lines;
    if (!line || line.isSent) return;
    line.isSent = write(messageOf("CHAT", line.text));
    if (line.isSent) ping(line);
  }

  function finish(line: Line | undefined): void {
    if (!line) return;
    lines.shift();
    line.settle({ is: "read" });
    sendNext();
  }

  return {
    ping,
    send: (text: string): Promise<SendResult> =>
      new Promise(settle => {
        if (lines.length >= MAX_LINES) return settle({ is: "unsent" });
        lines.push({ text, settle, isSent: false });
        sendNext();
      }),
    confirmed: () => finish(pings.shift()),
    /** Whether the rejection is about a message of this queue. */
    refused(why: Exception): boolean {
      const [line] = lines;
      // A message is rejected before its PING is answered; a later rejection is about an earlier message.
      if (!line?.isSent || (line.refused && why === "server unavailable")) return false;
      line.settle({ is: "refused", why });
      if (line.refused && line.refused !== "server unavailable") {
        // Its PING was rejected too.
        pings = pings.filter(after => after !== line);
        finish(line);
      }
      line.refused = why;
      return true;
    },
    lost(): void {
      pings = [];
      for (const { isSent, settle } of lines.splice(0)) settle({ is: isSent ? "unconfirmed" : "unsent" });
    },
  };
}
