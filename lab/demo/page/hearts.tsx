const HEART = "M1 0h2v1h1V0h2v1h1v2h-1v1h-1v1h-1v1H3V5H2V4H1V3H0V1h1z";
const HALF = "M1 0h2v1h.5v5H3V5H2V4H1V3H0V1h1z";
const WIDTH = 8;

/** One heart for two of health, full, half or empty; at most ten. */
export function Hearts({ health, max }: { health: number; max: number }) {
  const count = Math.min(10, Math.ceil(max / 2));
  const share = max > 20 ? 20 / max : 1;
  return (
    <svg
      class="hearts"
      viewBox={`0 0 ${count * WIDTH - 1} 6`}
      shape-rendering="crispEdges"
      aria-hidden="true"
    >
      {Array.from({ length: count }, (_, i) => {
        const here = Math.ceil(health * share) - i * 2;
        return (
          <g key={i} transform={`translate(${i * WIDTH} 0)`}>
            <path class="empty" d={HEART} />
            {here > 0 && <path class="full" d={here === 1 ? HALF : HEART} />}
          </g>
        );
      })}
    </svg>
  );
}
