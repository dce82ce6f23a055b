import { useMemo } from "preact/hooks";
import type { Segment } from "../client/index.ts";
import { legible } from "./legible.ts";

/** Text in the colours of the game, each moved until it can be read on a background, `#rrggbb`. */
export function Coloured({ segments, background }: { segments: readonly Segment[]; background: string }) {
  // A log is drawn anew with each line that comes.
  const styles = useMemo(
    () => segments.map(({ colour }) => (colour ? { style: { color: legible(colour, background) } } : {})),
    [segments, background],
  );
  return (
    <>
      {segments.map((part, i) => (
        <bdi key={`${i}`} {...styles[i]}>
          {part.text}
        </bdi>
      ))}
    </>
  );
}
