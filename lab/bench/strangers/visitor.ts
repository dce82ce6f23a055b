import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { reasonOf } from "../../../cli/errno.ts";
import { chatSocket } from "../sockets.ts";

/** Between two times that everything is asked, in milliseconds. */
const EVERY_MS = 100;

/** How long is waited for an answer or a line; what does not come counts as that long. */
const PATIENCE_MS = 10_000;

/** What makes a line long: 500 characters of three bytes each. */
export const LONG = "\u6f22".repeat(500);

/** What a visitor has waited for, in milliseconds each time. */
export interface Waits {
  status: number[];
  events: number[];
  /** from opening a connection to its first answer */
  connection: number[];
  /** from saying it in the game until it is there */
  chat: number[];
}

export interface Seen extends Waits {
  /** what came in the place of an answer or a line: a status, or what the connection ended with */
  missing: string[];
  /** the most memory of the sidecar, in MiB */
  mb: number;
}

/** A visitor of the service, on one connection that stays open, one chat socket and new connections. */
export async function createVisitor(deps: {
  base: string;
  /** says a line in the game; what comes of it does not matter */
  say(line: string): void;
  /** of the sidecar at the moment, in MiB */
  memory(): Promise<number>;
}) {
  const { base, say, memory } = deps;
  const agent = new Agent({ keepAlive: true });
  const socket = await chatSocket(base);
  const heard = new Map<string, () => void>();
  let lines = 0;
  socket.on("error", () => undefined);
  socket.on("message", data => {
    const [name = ""] = /visitor's \d+/.exec(String(data)) ?? [];
    heard.get(name)?.();
  });

  /** What was wrong with the answer, if anything was. */
  function answered(path: string, by: Agent | false): Promise<string | undefined> {
    return new Promise(resolve => {
      const asked = get(`${base}${path}`, { agent: by, signal: AbortSignal.timeout(PATIENCE_MS) }, res => {
        res.on("end", () => resolve(res.statusCode === 200 ? undefined : `${res.statusCode}`)).resume();
      });
      asked.on("error", error => resolve(reasonOf(error)));
    });
  }

  function lineHeard(): Promise<string | undefined> {
    const name = `visitor's ${lines++}`;
    return new Promise(resolve => {
      heard.set(name, () => resolve(undefined));
      setTimeout(resolve, PATIENCE_MS, "no line").unref();
      say(`${name} ${LONG}`);
    });
  }

  return {
    /** Asks for everything again and again for so long, whether or not it was answered before. */
    async look(ms: number): Promise<Seen> {
      const seen: Seen = { status: [], events: [], connection: [], chat: [], missing: [], mb: 0 };
      const time = async (what: keyof Waits, answer: Promise<string | undefined>): Promise<void> => {
        const begun = performance.now();
        const wrong = await answer;
        seen[what].push(wrong === undefined ? performance.now() - begun : PATIENCE_MS);
        if (wrong !== undefined) seen.missing.push(wrong);
      };
      const sample = async (): Promise<void> => {
        const mb = await memory();
        seen.mb = Math.max(seen.mb, mb);
      };
      const waits: Promise<void>[] = [];
      for (const end = performance.now() + ms; performance.now() < end; await sleep(EVERY_MS)) {
        waits.push(
          time("status", answered("/status", agent)),
          time("events", answered("/events?format=json&limit=20", agent)),
          time("connection", answered("/status", false)),
          time("chat", lineHeard()),
          sample(),
        );
      }
      await Promise.all(waits);
      return seen;
    },
    end(): void {
      socket.terminate();
      agent.destroy();
    },
  };
}
