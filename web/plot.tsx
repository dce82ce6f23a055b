import { useEffect, useRef } from "preact/hooks";
import UPlot from "uplot";
import type { HistoryPoint } from "../client/index.ts";
import { clock, known } from "./format.ts";
import { useMediaQuery } from "./hooks.ts";
import type { Level } from "./limits.ts";
import { texts } from "./texts.ts";

export interface PlotProps {
  name: string;
  figure: "tps" | "onlinePlayerCount" | "memoryUsedMB" | "cpuUsage";
  points: readonly HistoryPoint[];
  /** where the plot begins, in milliseconds since 1970; an hour ago when nothing is known */
  since: number | undefined;
  /** lowest and highest value of the scale for the lowest and highest that is shown */
  range(low: number, high: number): [number, number];
  limits?: readonly Limit[];
  stepped?: boolean;
  show(value: number): string;
  onPoint(pointed: Pointed | undefined): void;
}

/** A value that is marked where it is in the picture. */
interface Limit {
  at: number;
  level: Level;
}

/** What the pointer is over: seconds since 1970, and the figure there. */
export interface Pointed {
  at: number;
  value: number | null | undefined;
}

const HOUR_S = 3_600;
const LEAST_S = 60;
/** Steps between the marks of a scale, of which the smallest fits a count of players. */
const STEPS = [0, 1, 2, 3, 4, 5].flatMap(power => [1, 2, 5].map(one => one * 10 ** power));
/** How far from the pointer, in parts of the picture, a point may be whose figure is told. */
const NEAR = 1 / 60;

/** One figure over the last hour, or since there is one. Where nothing was reported there is no line. */
export function Plot(props: PlotProps) {
  const { name, figure, points, stepped = false, show } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | undefined>(undefined);
  const newest = useRef(props);
  newest.current = props;
  const isDark = useMediaQuery("(prefers-color-scheme: dark)");
  const isForced = useMediaQuery("(forced-colors: active)");
  const values = points.map(point => point[figure]);
  const told = values.filter(value => value !== null);

  useEffect(() => {
    const home = place.current;
    if (!home) return;
    const size = () => ({ width: home.clientWidth, height: home.clientHeight });
    const made = new UPlot({ ...size(), ...options(() => newest.current, stepped) }, [[], []], home);
    plot.current = made;
    const sizes = new ResizeObserver(() => made.setSize(size()));
    sizes.observe(home);
    return () => {
      sizes.disconnect();
      made.destroy();
    };
    // Its colours are read from the page when it is made.
  }, [stepped, isDark, isForced]);
  useEffect(() => {
    plot.current?.setData([points.map(point => point.at / 1000), values]);
  }, [points, stepped, isDark, isForced]);

  const range =
    told.length === 0
      ? texts.plotEmpty
      : texts.plotRange(show(Math.min(...told)), show(Math.max(...told)), known(values.at(-1), show));
  return <div ref={place} class="canvas" role="img" aria-label={texts.plot(name, range)} />;
}

/** The point where the line ends, for it says how things are now, and may be all there is yet. */
function end(plot: UPlot, seriesIdx: number): number[] {
  const last = plot.data[0].length - 1;
  return last >= 0 && plot.data[seriesIdx]?.[last] != null ? [last] : [];
}

/** What the pointer is over, and the figure of the point beside it, if there is one. */
function pointedAt(plot: UPlot): Pointed | undefined {
  const { idx, left = -1 } = plot.cursor;
  if (left < 0) return undefined;
  const at = plot.posToVal(left, "x");
  const nearest = idx === null || idx === undefined ? undefined : plot.data[0][idx];
  const { min = 0, max = 0 } = plot.scales.x ?? {};
  const isNear =
    nearest !== undefined && Math.abs(nearest - at) <= Math.max(10, ((max ?? 0) - (min ?? 0)) * NEAR);
  return { at, value: isNear ? plot.data[1]?.[idx ?? 0] : null };
}

/** Dashed lines where the limits are, as far as they are in the picture. */
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

function options(props: () => PlotProps, stepped: boolean): Omit<UPlot.Options, "width" | "height"> {
  const style = getComputedStyle(document.documentElement);
  const colour = (variable: string): string => style.getPropertyValue(variable).trim();
  const [line, grid, text] = [colour("--accent"), colour("--line"), colour("--soft")];
  const levels = { "": text, warn: colour("--warn"), bad: colour("--bad") };
  const rem = Number.parseFloat(style.fontSize);
  // The library takes whole pixels alone: of others it scales the digits behind the dot by the pixels of the device.
  const axis = { stroke: text, font: `${Math.round(rem * 0.75)}px system-ui`, ticks: { show: false } };
  const steps = stepped ? UPlot.paths.stepped?.({ align: 1 }) : undefined;
  return {
    padding: [rem * 0.5, rem * 0.8, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false },
      sync: { key: "hour" },
      points: { size: 7, fill: line, stroke: line },
    },
    hooks: {
      setCursor: [plot => props().onPoint(pointedAt(plot))],
      drawAxes: [plot => drawLimits(plot, props().limits ?? [], levels)],
    },
    scales: {
      x: {
        time: true,
        range() {
          const now = Date.now() / 1000;
          const since = (props().since ?? 0) / 1000;
          return [Math.max(now - HOUR_S, Math.min(since, now - LEAST_S)), now];
        },
      },
      y: { range: (_plot, low, high) => props().range(low ?? Number.POSITIVE_INFINITY, high ?? 0) },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: rem * 4.5,
        size: rem * 1.5,
        incrs: [1, 2, 5, 10, 15, 30].map(minutes => minutes * 60),
        values: (_plot, ats) => ats.map(at => clock(at * 1000)),
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
        points: { show: true, filter: end, size: 7, fill: line, stroke: line },
        ...(steps ? { paths: steps } : {}),
      },
    ],
  };
}
