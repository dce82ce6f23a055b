/** Rows of characters, each a pixel whose colour the palette has; a character that it has not is left out. */
export function Pixels({
  rows,
  palette,
  kind,
}: {
  rows: readonly string[];
  palette: Record<string, string>;
  kind: string;
}) {
  const width = rows[0]?.length ?? 0;
  return (
    <svg class={kind} viewBox={`0 0 ${width} ${rows.length}`} shape-rendering="crispEdges" aria-hidden="true">
      {rows.flatMap((row, y) =>
        runs(row).map(({ char, x, length }) =>
          palette[char] === undefined ? null : (
            <rect key={`${x},${y}`} x={x} y={y} width={length} height={1} fill={palette[char]} />
          ),
        ),
      )}
    </svg>
  );
}

/** Neighbours of one colour as one. */
function runs(row: string): { char: string; x: number; length: number }[] {
  const found: { char: string; x: number; length: number }[] = [];
  for (const [x, char] of [...row].entries()) {
    const last = found.at(-1);
    if (last?.char === char) last.length++;
    else found.push({ char, x, length: 1 });
  }
  return found;
}
