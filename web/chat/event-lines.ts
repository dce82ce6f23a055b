import { type Segment, segments } from "../../client/index.ts";
import { texts } from "../platform/texts.ts";
import type { StoredEvent } from "../service/feed-updates.ts";
import { type Author, type Line, textOf } from "./chat-log.ts";

/** A text without its colour markers. */
export const plain = (text: string): string => textOf(segments(text));

/** A join, leave, death or change of the game server, with names as separate segments: they may be written right to left. */
function activity(event: Exclude<StoredEvent, { event: "chat" }>): Segment[] {
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

function after(parts: readonly Segment[], characters: number): Segment[] {
  let left = characters;
  return parts.flatMap(part => {
    const text = part.text.slice(left);
    left = Math.max(0, left - part.text.length);
    return text === "" ? [] : [{ ...part, text }];
  });
}

/** Author and text of a line of the game, `<name> text`; undefined where it has another form. */
export function splitAuthor(
  parts: readonly Segment[],
  player?: { name: string; uuid: string },
): { author: Author; segments: Segment[] } | undefined {
  const text = textOf(parts);
  const known = player && plain(player.name);
  const name = known !== undefined && text.startsWith(`<${known}> `) ? known : /^<([^<>]+)> /.exec(text)?.[1];
  if (name === undefined) return undefined;
  const author = { name, ...(player && { uuid: player.uuid }) };
  return { author, segments: after(parts, name.length + 3) };
}

/** The line for an event; undefined where it has no visible text. `isOwn`: it was written in this browser. */
export function lineOf(event: StoredEvent, isOwn: boolean): Omit<Line, "id"> | undefined {
  const where = { at: event.at, ...(event.server !== undefined && { server: event.server }) };
  if (event.event !== "chat") {
    const isPassing = event.event === "join" || event.event === "leave";
    const passing = isPassing && { event: event.event, name: plain(event.player.name) };
    const line = { ...where, kind: "activity" as const, segments: [], says: () => activity(event) };
    return { ...line, ...(passing && { passing }) };
  }
  if (event.from === "game") {
    const parts = segments(event.content);
    const message = splitAuthor(parts, event.player) ?? { segments: parts };
    return message.segments.length === 0 ? undefined : { ...where, kind: "game", ...message };
  }
  const text = plain(event.content);
  if (text === "") return undefined;
  const { player, label } = event;
  const author = player ? { name: plain(player.name), uuid: player.uuid } : label && { name: label };
  const from = { ...(author && { author }), ...(label && { label }) };
  return { ...where, kind: isOwn ? "own" : "web", segments: [{ text }], ...from };
}
