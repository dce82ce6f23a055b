import type { Fact } from "../../shared/facts.ts";
import { EventStream, type StreamEvent } from "../helpers/event-stream.ts";
import { FakePack, row } from "../helpers/fake-pack.ts";
import { type Options, startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

export const [STEVE, ALEX, EVE] = [row("Steve").player, row("Alex").player, row("Eve").player];

/** Steve says something in the game. */
export const said = (text: string): Fact => ({ is: "said", name: "Steve", text, player: STEVE });

/** Events in short: chat by its text, joins as `+Steve`, leaves as `-Steve`. */
export const short = (events: readonly Pick<StreamEvent, "event" | "data">[]): string[] =>
  events.map(({ event, data }) => {
    const { content, player, state } = data as {
      content?: string;
      player?: { name: string };
      state?: string;
    };
    if (event === "join") return `+${player?.name}`;
    if (event === "leave") return `-${player?.name}`;
    return content?.replace("§§<Steve> §§", "") ?? state ?? event;
  });

/** A sidecar, a pack that is connected to it, and readers of its events. */
export class Feeding {
  bridge!: TestSidecar;
  pack!: FakePack;
  /** closed with the rest */
  readonly open: { close(): void }[] = [];

  async start(options: Options = {}): Promise<void> {
    this.bridge = await startTestSidecar(options);
    this.pack = new FakePack(this.bridge.bridge);
    await this.pack.connect();
  }

  async stream(query = "", headers: Record<string, string> = {}): Promise<EventStream> {
    const opened = await EventStream.open(this.bridge.base, query, headers);
    this.open.push(opened);
    return opened;
  }

  async end(): Promise<void> {
    for (const each of this.open.splice(0)) each.close();
    await this.bridge.stop();
  }
}
