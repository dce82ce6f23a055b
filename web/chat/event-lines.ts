import { type FeedEvent, type Segment, segments } from "../../client/index.ts";
import { texts } from "../platform/texts.ts";
import type { Author, Line } from "./chat-log.ts";

/** An event that the feed keeps. */
export type Kept = FeedEvent & { id: string };

/** A text in which no marker means anything. */
export const plain = (text: string): string => textOf(segments(text));
export const textOf = (parts: readonly Segment[]): string => parts.map(({ text }) => text).join("");

/** What happened, each name as a stretch of its own: it may be written from the right. */
function activity(event: Exclude<Kept, { event: "chat" }>): Segment[] {
  if (event.event === "server") return [{ text: texts.serverIs[event.state] }];
  const killer = event.event === "death" ? event.killer : undefined;
  const text = texts.activity[killer ? "killed" : event.event];
  const names: Record<string, string> = {
    "{player}": plain(event.player.name),
    "{killer}": plain(killer?.name ?? ""),
  };
  return text
    .split(/(\{\w+\})/)
    .filter(part => part !== "")
    .map(part => ({ text: names[part] ?? part }));
}

/** What comes after so many characters. */
function without(parts: readonly Segment[], characters: number): Segment[] {
  let left = characters;
  return parts.flatMap(part => {
    const text = part.text.slice(left);
    left = Math.max(0, left - part.text.length);
    return text === "" ? [] : [{ ...part, text }];
  });
}

/** A line of the game, `<name> text`, as who said it and what. Nothing where it is none of that form. */
export function taken(
  parts: readonly Segment[],
  player?: { name: string; uuid: string },
): { author: Author; segments: Segment[] } | undefined {
  const text = textOf(parts);
  const known = player && plain(player.name);
  const name = known !== undefined && text.startsWith(`<${known}> `) ? known : /^<([^<>]+)> /.exec(text)?.[1];
  if (name === undefined) return undefined;
  const author = { name, ...(player && { uuid: player.uuid }) };
  return { author, segments: without(parts, name.length + 3) };
}

/** What the log shows of an event. Nothing of a line in which nothing can be seen. `isOwn`: it was said here. */
export function lineOf(event: Kept, isOwn: boolean): Omit<Line, "id"> | undefined {
  const where = { at: event.at, ...(event.server !== undefined && { server: event.server }) };
  if (event.event !== "chat")
    return { ...where, kind: "activity", segments: [], says: () => activity(event) };
  if (event.from === "game") {
    const parts = segments(event.content);
    const said = taken(parts, event.player);
    if (said) return said.segments.length === 0 ? undefined : { ...where, kind: "game", ...said };
    return parts.length === 0 ? undefined : { ...where, kind: "game", segments: parts };
  }
  const text = plain(event.content);
  if (text === "") return undefined;
  const { player, label } = event;
  const author = player ? { name: plain(player.name), uuid: player.uuid } : label && { name: label };
  return { ...where, kind: isOwn ? "own" : "web", segments: [{ text }], ...(author && { author }) };
}
