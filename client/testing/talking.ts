import { expect } from "@jest/globals";
import { TestBridge } from "../../test/helpers/bridge.ts";
import {
  type Conversation,
  type ConversationLine,
  type ConversationOptions,
  createConversation,
} from "../index.ts";
import { Page } from "./surroundings.ts";
import { Visitor } from "./visitor.ts";

/** Messages in short: own ones with `me:`, unread ones in brackets. */
export const short = (lines: readonly ConversationLine[]): string[] =>
  lines.map(({ segments, isOwn, isUnderway }) => {
    const text = `${isOwn ? "me: " : ""}${segments.map(one => one.text).join("")}`;
    return isUnderway ? `(${text})` : text;
  });

/** A game with Steve, the real sidecar, and a visitor with conversations. */
export class Talking {
  bridge!: TestBridge;
  visitor!: Visitor;
  page!: Page;
  /** every reported list of messages, the newest last */
  rows: (readonly ConversationLine[])[] = [];
  gaps = 0;
  exceptions: string[] = [];
  readonly #open: Conversation[] = [];

  async start(): Promise<void> {
    this.bridge = await TestBridge.start(["Steve"]);
    this.visitor = new Visitor(this.bridge.base, this.bridge.clock);
    this.page = new Page();
    this.rows = [];
    this.exceptions = [];
    this.gaps = 0;
  }

  async end(): Promise<void> {
    for (const one of this.#open.splice(0)) one.close();
    await this.bridge.stop();
  }

  begin(more: Partial<ConversationOptions> = {}): Conversation {
    const { visitor } = this;
    const talk = createConversation({
      base: this.bridge.base,
      client: visitor.client,
      fetch: visitor.ask,
      connect: visitor.connect,
      timers: visitor.timers,
      random: () => 0,
      surroundings: this.page,
      onLines: lines => this.rows.push(lines),
      onGap: () => this.gaps++,
      onException: why => this.exceptions.push(why),
      ...more,
    });
    this.#open.push(talk);
    return talk;
  }

  /** A connected conversation. */
  async begun(more: Partial<ConversationOptions> = {}): Promise<Conversation> {
    let isLive = false;
    const onFeed: ConversationOptions["onFeed"] = ({ is }) => {
      isLive ||= is === "open";
    };
    const talk = this.begin({ ...more, onFeed });
    await this.bridge.until(() => isLive && talk.state.is === "open");
    return talk;
  }

  /** Ticks until these are the lines. */
  shows(talk: Conversation, ...lines: string[]): Promise<void> {
    return this.bridge
      .until(() => short(talk.lines).join("\n") === lines.join("\n"))
      .catch(() => expect(short(talk.lines)).toEqual(lines));
  }

  says(text: string): void {
    this.bridge.player("Steve").say(text);
  }
}
