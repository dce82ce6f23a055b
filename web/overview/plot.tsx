import { useEffect, useRef, useState } from "preact/hooks";
import type UPlot from "uplot";
import type { HistoryMean, HistoryPoint, HistorySpan } from "../../client/index.ts";
import { clock, count, moment } from "../platform/format.ts";
import { useMediaQuery } from "../platform/hooks.ts";
import { texts } from "../platform/texts.ts";
import type { Level } from "./levels.ts";
import { loadPlotLibrary, type PlotLibrary } from "./plot-library.ts";

/** The data of all plots. Times are in milliseconds since 1970. */
export interface PlotData {
  span: HistorySpan;
  points: readonly (HistoryPoint | HistoryMean)[];
  /** how long a roll-up is, in milliseconds; 0: points are single reports, and the plots end now */
  slotMs: number;
  /** time of the first known point */
  since: number | undefined;
}

export interface PlotProps extends PlotData {
  name: string;
  /** the span of time and the unit, in words */
  spanText: string;
  figure: "tps" | "onlinePlayerCount" | "memoryUsedMB" | "cpuUsage";
  /** the current figure, in words */
  now: string;
  /** the ends of the scale, from the lowest and highest value */
  range(low: number, high: number): [number, number];
  limits?: readonly Limit[];
  stepped?: boolean;
  show(value: number): string;
  onPoint(pointed: PointedTime | undefined): void;
}

/** A value with a dashed line. */
interface Limit {
  at: number;
  level: Level;
}

/** The time under the pointer, with the figure there, and its peak where peaks are drawn. */
export interface PointedTime {
  at: number;
  value: number | null | undefined;
  peak: number | null | undefined;
}

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
const MIN_S = 60;
/** Steps of a value axis; the smallest fits a count of players. */
const STEPS = [0, 1, 2, 3, 4, 5].flatMap(power => [1, 2, 5].map(one => one * 10 ** power));
/** Steps of the time axis, in seconds. 30 days are drawn as one month. */
const MINUTES = [1, 2, 5, 10, 15, 30].map(minutes => minutes * 60);
const LONGER = [
  ...[1, 2, 3, 4, 6, 12].map(hours => hours * HOUR_S),
  ...[1, 2, 3, 5, 7, 10, 15, 20, 30, 60, 90, 180, 365].map(days => days * DAY_S),
];
/** How far from the pointer a point may be, as a share of the plot's width. */
const NEAR = 1 / 60;

/** The most players at once within each roll-up. */
export const peaksOf = (points: PlotData["points"]): readonly (number | null)[] =>
  points.map(point => ("peakPlayers" in point ? point.peakPlayers : null));

/** One figure over a span of time. The line has gaps where nothing was reported. */
export function Plot(props: PlotProps) {
  const { name, spanText, figure, now, points, slotMs, stepped = false, show } = props;
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | undefined>(undefined);
  const [library, setLibrary] = useState<{ Plot: PlotLibrary } | undefined>(undefined);
  const newest = useRef(props);
  newest.current = props;
  const isDark = useMediaQuery("(prefers-color-scheme: dark)");
  const isForced = useMediaQuery("(forced-colors: active)");
  const values = points.map(point => point[figure]);
  const peaks = figure === "onlinePlayerCount" ? peaksOf(points) : [];
  const known = values.filter(value => value !== null);
  const knownPeaks = peaks.filter(value => value !== null);
  const highest = knownPeaks.length > 0 ? count(Math.max(...knownPeaks)) : show(Math.max(...known));

  useEffect(() => {
    void loadPlotLibrary().then(Plot => Plot && setLibrary({ Plot }));
  }, []);
  useEffect(() => {
    const { current: parent } = box;
    if (!parent || !library) return;
    const size = () => ({ width: parent.clientWidth, height: parent.clientHeight });
    const { Plot: Library } = library;
    const steps = stepped ? Library.paths.stepped?.({ align: 1 }) : undefined;
    const created = new Library({ ...size(), ...options(() => newest.current, steps) }, [[], [], []], parent);
    plot.current = created;
    const sizes = new ResizeObserver(() => created.setSize(size()));
    sizes.observe(parent);
    return () => {
      sizes.disconnect();
      created.destroy();
    };
    // It reads its colours from the page once.
  }, [library, stepped, isDark, isForced]);
  useEffect(() => {
    // A roll-up is drawn at its middle.
    plot.current?.setData([points.map(({ at }) => (at + slotMs / 2) / 1000), values, [...peaks]]);
  }, [library, points, stepped, isDark, isForced]);

  const range =
    known.length === 0 ? texts.plotEmpty : texts.plotRange(show(Math.min(...known)), highest, now);
  return <div ref={box} class="canvas" role="img" aria-label={texts.plot(name, spanText, range)} />;
}

/** The points that get a dot: the last one, and those without neighbours, which have no line. */
function dotted(plot: UPlot, seriesIdx: number): number[] {
  const data = plot.data[seriesIdx] ?? [];
  const last = plot.data[0].length - 1;
  return Array.from(data, (_, at) => at).filter(
    at => data[at] != null && (at === last || (data[at - 1] == null && data[at + 1] == null)),
  );
}

/** The time under the pointer, and the figure of the point near it, if there is one. */
function pointedAt(plot: UPlot, slotMs: number): PointedTime | undefined {
  const { idx, left = -1 } = plot.cursor;
  if (left < 0) return undefined;
  const at = plot.posToVal(left, "x");
  const nearest = idx === null || idx === undefined ? undefined : plot.data[0][idx];
  const { min = 0, max = 0 } = plot.scales.x ?? {};
  const isNear =
    nearest !== undefined &&
    Math.abs(nearest - at) <= Math.max(10, slotMs / 2_000, ((max ?? 0) - (min ?? 0)) * NEAR);
  if (!isNear) return { at: at * 1000, value: null, peak: null };
  const [, values, peaks] = plot.data;
  // The middle of a day of the service has the same date in almost every time zone.
  const begins = slotMs > 0 && slotMs < DAY_S * 1000 ? nearest * 1000 - slotMs / 2 : nearest * 1000;
  return { at: slotMs === 0 ? at * 1000 : begins, value: values?.[idx ?? 0], peak: peaks?.[idx ?? 0] };
}

/** Draws dashed lines at the limits that are within the scale. */
function drawLimits(plot: UPlot, limits: readonly Limit[], colours: Record<Level, string>): void {
  const { ctx, bbox } = plot;
  const { min, max } = plot.scales.y ?? {};
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
  for (const { at, level } of limits) {
    if (min == null || max == null || at < min || at > max) continue;
    const y = Math.round(plot.valToPos(at, "y", true));
    ctx.strokeStyle = colours[level];
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  ctx.restore();
}

/** The ends of the time axis, in seconds since 1970. */
function timesOf({ points, slotMs, since }: PlotData): [number, number] {
  const last = points.at(-1);
  // Roll-ups have the times of the service; the browser's clock may be wrong.
  if (slotMs > 0 && last && since !== undefined) return [since / 1000, (last.at + slotMs) / 1000];
  const now = Date.now() / 1000;
  return [Math.max(now - HOUR_S, Math.min((since ?? 0) / 1000, now - MIN_S)), now];
}

function options(
  props: () => PlotProps,
  steps: UPlot.Series.PathBuilder | undefined,
): Omit<UPlot.Options, "width" | "height"> {
  const style = getComputedStyle(document.documentElement);
  const colour = (variable: string): string => style.getPropertyValue(variable).trim();
  const [line, grid, text] = [colour("--accent"), colour("--line"), colour("--soft")];
  const levels = { "": text, warn: colour("--warn"), bad: colour("--bad") };
  const rem = Number.parseFloat(style.fontSize);
  // Whole pixels: the library misreads fractions on screens with a device pixel ratio above 1.
  const axis = { stroke: text, font: `${Math.round(rem * 0.75)}px system-ui`, ticks: { show: false } };
  const dots = (size: number, of: string) => ({ show: true, filter: dotted, size, fill: of, stroke: of });
  return {
    // At the right, half a time fits.
    padding: [rem * 0.5, rem * 1.6, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false },
      sync: { key: "plots" },
      points: { size: 7, fill: line, stroke: line },
    },
    hooks: {
      setCursor: [plot => props().onPoint(pointedAt(plot, props().slotMs))],
      drawAxes: [plot => drawLimits(plot, props().limits ?? [], levels)],
    },
    scales: {
      x: { time: true, range: () => timesOf(props()) },
      y: { range: (_plot, low, high) => props().range(low ?? Number.POSITIVE_INFINITY, high ?? 0) },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: () => rem * (props().slotMs === 0 ? 4.5 : 3),
        size: rem * 1.5,
        incrs: () => (props().slotMs === 0 ? MINUTES : LONGER),
        values: (_plot, ats, _axis, _space, stepS) =>
          ats.map(at => (stepS < DAY_S ? clock(at * 1000) : moment(at * 1000, stepS * 1000))),
      },
      { ...axis, grid: { stroke: grid, width: 1 }, space: rem * 1.2, size: rem * 2.4, gap: 3, incrs: STEPS },
    ],
    series: [
      {},
      {
        stroke: line,
        width: 1.5,
        fill: colour("--shade"),
        spanGaps: false,
        points: dots(7, line),
        ...(steps ? { paths: steps } : {}),
      },
      { stroke: text, width: 1, dash: [3, 3], spanGaps: false, points: dots(4, text) },
    ],
  };
}
