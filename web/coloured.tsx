import type { Segment } from "../client/index.ts";
import { legible } from "./legible.ts";

/** Text in the colours of the game, each moved until it can be read on a background, `#rrggbb`. */
export function Coloured({ segments, background }: { segments: readonly Segment[]; background: string }) {
  return (
    <>
      {segments.map((part, i) => (
        <bdi key={`${i}`} {...(part.colour ? { style: { color: legible(part.colour, background) } } : {})}>
          {part.text}
        </bdi>
      ))}
    </>
  );
}
