const BLOCKS = 10;

/** Blocks in a row, as many filled as the share says. */
export function Meter({ share, kind = "" }: { share: number; kind?: string }) {
  const full = Math.round(Math.min(1, Math.max(0, share)) * BLOCKS);
  return (
    <span class={`blocks ${kind}`} aria-hidden="true">
      {Array.from({ length: BLOCKS }, (_, i) => (
        <i key={i} class={i < full ? "full" : ""} />
      ))}
    </span>
  );
}
