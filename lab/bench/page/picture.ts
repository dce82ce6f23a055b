import type { Kept } from "./record.ts";

/** Each with the row of which it shows values: ours, and those of others by what they are called. */
const CHARTS: readonly {
  title: string;
  row: string;
  unit: string;
  own: string;
  others: [string, string][];
}[] = [
  {
    ...{ title: "CPU for an answer of GET /status", row: "http-anchors", unit: "us", own: "microseconds" },
    others: [
      ["bare node:http", "bareMicroseconds"],
      ["Fastify", "fastifyMicroseconds"],
      ["Express, cors, express.json", "expressMicroseconds"],
    ],
  },
  {
    ...{
      title: "A line of the web until the game shows it, median",
      row: "poll-400",
      unit: "ms",
      own: "p50Ms",
    },
    others: [["a poll each 400 ms", "pollP50Ms"]],
  },
  {
    ...{ title: "The same, 99 of 100 lines", row: "poll-400", unit: "ms", own: "p99Ms" },
    others: [["a poll each 400 ms", "pollP99Ms"]],
  },
  {
    title: "Requests of a game in which nothing happens",
    ...{ row: "poll-400", unit: "a minute", own: "requests" },
    others: [["a poll each 400 ms", "pollRequests"]],
  },
  {
    ...{ title: "CPU for a line to one of 1,000 sockets", row: "fan-out", unit: "us", own: "microseconds" },
    others: [["bare ws", "bareMicroseconds"]],
  },
  {
    ...{ title: "The same, 20 lines of one tick", row: "burst", unit: "us", own: "microseconds" },
    others: [["bare ws", "bareMicroseconds"]],
  },
];

const [WIDTH, LABELS, BARS, ROW, GAP, TOP] = [840, 230, 440, 26, 46, 62];

const STYLE = `
    .page { fill: #ffffff } .own { fill: #3d8a3a } .other { fill: #8a939c } text { fill: #1c2126 } .soft { fill: #55606b }
    @media (prefers-color-scheme: dark) {
      .page { fill: #14181c } .own { fill: #76c470 } .other { fill: #76818c } text { fill: #e6eaee } .soft { fill: #a7b1bb }
    }
  `;

/** The picture of what was measured beside others: a chart for each row that there is. */
export function picture(kept: Kept): string {
  const drawn: string[] = [];
  const told: string[] = [];
  let y = TOP;
  for (const { title, row, unit, own, others } of CHARTS) {
    const values = kept.find(({ name }) => name === row)?.values;
    const known = [["this sidecar", own] as const, ...others].flatMap(([label, key]) => {
      const value = values?.[key];
      return value === undefined ? [] : [{ label, value }];
    });
    if (known.length === 0) continue;
    told.push(`${title}, ${unit}: ${known.map(({ label, value }) => `${label} ${text(value)}`).join(", ")}.`);
    drawn.push(`<text x="20" y="${y}" font-weight="600">${title}</text>`);
    const most = Math.max(...known.map(({ value }) => value));
    for (const [i, { label, value }] of known.entries()) {
      y += ROW;
      const length = Math.max(2, Math.round((BARS * value) / most));
      drawn.push(
        `<text x="${LABELS}" y="${y}" text-anchor="end">${label}</text>`,
        `<rect class="${i === 0 ? "own" : "other"}" x="${LABELS + 12}" y="${y - 14}" width="${length}" height="18" rx="3"/>`,
        `<text class="soft" x="${LABELS + 22 + length}" y="${y}">${text(value)} ${unit}</text>`,
      );
    }
    y += GAP;
  }
  const height = y - GAP + 24;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title about" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" font-size="14">`,
    `  <title id="title">What it costs, beside others</title>`,
    `  <desc id="about">${told.join(" ")}</desc>`,
    `  <style>${STYLE}</style>`,
    `  <rect class="page" width="${WIDTH}" height="${height}" rx="10"/>`,
    `  <text class="soft" x="20" y="30">Measured in the same run, on the same machine. A shorter bar is better.</text>`,
    ...drawn.map(line => `  ${line}`),
    "</svg>\n",
  ].join("\n");
}

const text = (value: number): string => (value < 10 ? value.toFixed(1) : `${Math.round(value)}`);
