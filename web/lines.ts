import { type Segment, segments } from "../client/index.ts";
import type { Line } from "./chat-log.ts";
import type { Kept } from "./feed.ts";
import { texts } from "./texts.ts";

/** A text in which no marker means anything. */
export const plain = (text: string): string =>
  segments(text)
    .map(part => part.text)
    .join("");

function activity(event: Exclude<Kept, { event: "chat" }>): Segment[] {
  if (event.event === "server") return [{ text: texts.serverIs[event.state] }];
  const player = { text: plain(event.player.name) };
  if (event.event !== "death") return [player, { text: texts.activity[event.event] }];
  return event.killer
    ? [player, { text: texts.activity.killed }, { text: plain(event.killer.name) }]
    : [player, { text: texts.activity.death }];
}

/** What the log shows of an event. Nothing of a line in which nothing can be seen. `isOwn`: it was said here. */
export function lineOf(event: Kept, isOwn: boolean): Omit<Line, "id"> | undefined {
  const { at } = event;
  if (event.event !== "chat") return { at, kind: "activity", segments: activity(event) };
  if (event.from === "game") {
    const parts = segments(event.content);
    return parts.length === 0 ? undefined : { at, kind: "game", segments: parts };
  }
  const text = plain(event.content);
  if (text === "") return undefined;
  const from = event.player && { from: plain(event.player.name) };
  return { at, kind: isOwn ? "own" : "web", segments: [{ text }], ...from };
}
