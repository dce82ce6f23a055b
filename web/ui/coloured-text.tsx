import type { Segment } from "../../client/index.ts";
import { legible } from "./contrast.ts";

/** Text in the game's colours, each shifted until it is legible on a background, `#rrggbb`. */
export const ColouredSegments = (props: { segments: readonly Segment[]; background: string }) => (
  <>
    {props.segments.map(({ text, colour }, i) => (
      <bdi key={`${i}`} {...(colour && { style: { color: legible(colour, props.background) } })}>
        {text}
      </bdi>
    ))}
  </>
);
