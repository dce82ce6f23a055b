import type { Exception, MessageType } from "./types.ts";

/**
 * What became of a line. `read`: the service has read it and passed it on; `refused`: it has not, and `why`, where
 * `server unavailable` says that the other browsers have got the line and the game has not; `unsent`: there was no connection, or
 * too many lines waited;
 * `unconfirmed`: the connection was lost before the service said so, and it may have read it or not.
 */
export type Sent =
  | { is: "read" }
  | { is: "refused"; why: Exception }
  | { is: "unsent" }
  | { is: "unconfirmed" };

/** Lines that may wait for those before them; the service takes few a second. */
const MOST_LINES = 100;

interface Line {
  text: string;
  settle(sent: Sent): void;
  /** whether it is on its way */
  isSent: boolean;
  /** with what, the last time */
  refused?: Exception;
}

/** A message of the chat as it is sent. */
export const messageOf = (type: MessageType, content = ""): string => JSON.stringify({ type, content });

/**
 * Lines that are sent one after the other, each with a PING behind it: the service answers that once it has read the line,
 * so that a refusal before the answer is of this line. `write` gives a message to the connection that there is, or says
 * false.
 */
export function createLines(write: (message: string) => boolean) {
  /** the first is on its way */
  const lines: Line[] = [];
  /** the PINGs that have no answer yet, and the lines that they came behind */
  let pings: (Line | undefined)[] = [];

  function ping(behind?: Line): void {
    if (write(messageOf("PING"))) pings.push(behind);
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
    send: (text: string): Promise<Sent> =>
      new Promise(settle => {
        if (lines.length >= MOST_LINES) return settle({ is: "unsent" });
        lines.push({ text, settle, isSent: false });
        sendNext();
      }),
    answered: () => finish(pings.shift()),
    /** Whether it is a line of these that was refused. */
    refused(why: Exception): boolean {
      const [line] = lines;
      // Its own refusals come before the answer to its PING; one that comes late is of a line before it.
      if (!line?.isSent || (line.refused && why === "server unavailable")) return false;
      line.settle({ is: "refused", why });
      if (line.refused && line.refused !== "server unavailable") {
        // The PING behind it was refused too.
        pings = pings.filter(behind => behind !== line);
        finish(line);
      }
      line.refused = why;
      return true;
    },
    /** The connection is no more. */
    lost(): void {
      pings = [];
      for (const { isSent, settle } of lines.splice(0)) settle({ is: isSent ? "unconfirmed" : "unsent" });
    },
  };
}
