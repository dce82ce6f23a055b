import type { Segment } from "../../client/index.ts";
import { legible } from "./contrast.ts";

/** Text in the colours of the game, each moved until it can be read on a background, `#rrggbb`. */
export function Coloured({ segments, background }: { segments: readonly Segment[]; background: string }) {
  return (
    <>
      {segments.map(({ text, colour }, i) => (
        <bdi key={`${i}`} {...(colour && { style: { color: legible(colour, background) } })}>
          {text}
        </bdi>
      ))}
    </>
  );
}
