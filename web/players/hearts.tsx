const BLOCKS = 10;

/** Health as a row of blocks. `share`: 0 to 1. */
export function Hearts({ share }: { share: number }) {
  const full = Math.round(Math.min(1, Math.max(0, share)) * BLOCKS);
  return (
    <span class="hearts" aria-hidden="true">
      {Array.from({ length: BLOCKS }, (_, i) => (
        <i key={i} class={i < full ? "full" : ""} />
      ))}
    </span>
  );
}
