import { useEffect, useRef, useState } from "preact/hooks";
import UPlot from "uplot";
import type { HistoryPoint } from "../client/index.ts";
import { clock } from "./format.ts";
import { useMediaQuery } from "./hooks.ts";
import { texts } from "./texts.ts";

type Figure = "tps" | "onlinePlayerCount" | "memoryUsedMB" | "cpuUsage";

interface Props {
  name: string;
  figure: Figure;
  points: readonly HistoryPoint[];
  /** least upper end of the scale */
  top: number;
  stepped?: boolean;
  show(value: number): string;
}

/** What the pointer is over: seconds since 1970, and the figure there. */
interface Pointed {
  at: number;
  value: number | null | undefined;
}

const HEIGHT = 132;
const HOUR_S = 3_600;
/** How far from the pointer, in seconds, a point may be whose figure is told. */
const NEAR_S = 60;

/** One figure over the last hour. Where nothing was reported there is no line. */
export function Plot({ name, figure, points, top, stepped = false, show }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | undefined>(undefined);
  const [pointed, setPointed] = useState<Pointed | undefined>(undefined);
  const dark = useMediaQuery("(prefers-color-scheme: dark)");
  const values = points.map(point => point[figure]);
  const known = values.filter(value => value !== null);
  const now = values.at(-1);

  useEffect(() => {
    const home = place.current;
    if (!home) return;
    const made = new UPlot(
      options({ width: home.clientWidth, top, stepped, dark: String(dark), onPoint: setPointed }),
      [[], []],
      home,
    );
    plot.current = made;
    const sizes = new ResizeObserver(() => made.setSize({ width: home.clientWidth, height: HEIGHT }));
    sizes.observe(home);
    return () => {
      sizes.disconnect();
      made.destroy();
    };
  }, [top, stepped, dark]);
  useEffect(() => {
    plot.current?.setData([points.map(point => point.at / 1000), values]);
  }, [points, top, stepped, dark]);

  const range =
    known.length === 0
      ? texts.plotEmpty
      : texts.plotRange(show(Math.min(...known)), show(Math.max(...known)), shown(now, show));
  return (
    <figure class="plot">
      <figcaption>
        <span>{name}</span>
        {pointed === undefined ? (
          <span class="soft">{texts.lastHour}</span>
        ) : (
          <span aria-hidden="true">{texts.plotAt(clock(pointed.at * 1000), shown(pointed.value, show))}</span>
        )}
      </figcaption>
      <div ref={place} class="canvas" role="img" aria-label={texts.plot(name, range)} />
    </figure>
  );
}

const shown = (value: number | null | undefined, show: (value: number) => string): string =>
  value === null || value === undefined ? texts.none : show(value);

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
  const isNear = nearest !== undefined && Math.abs(nearest - at) <= NEAR_S;
  return { at, value: isNear ? plot.data[1]?.[idx ?? 0] : null };
}

/** `dark` only says which colours are in force; they are read from the page. */
function options(of: {
  width: number;
  top: number;
  stepped: boolean;
  dark: string;
  onPoint(pointed: Pointed | undefined): void;
}): UPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (variable: string): string => style.getPropertyValue(variable).trim();
  const [line, grid, text] = [colour("--accent"), colour("--line"), colour("--soft")];
  const axis = { stroke: text, font: "11px system-ui", ticks: { show: false } };
  const steps = of.stepped ? UPlot.paths.stepped?.({ align: 1 }) : undefined;
  return {
    width: of.width,
    height: HEIGHT,
    padding: [8, 18, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false },
      sync: { key: "hour" },
      points: { size: 7, fill: line, stroke: line },
    },
    hooks: {
      setCursor: [plot => of.onPoint(pointedAt(plot))],
    },
    scales: {
      x: { time: true, range: () => [Date.now() / 1000 - HOUR_S, Date.now() / 1000] },
      y: { range: (_plot, _low, high) => [0, Math.max(of.top, (high ?? 0) * 1.1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 70,
        size: 24,
        values: (_plot, ats) => ats.map(at => clock(at * 1000)),
      },
      { ...axis, grid: { stroke: grid, width: 1 }, space: 34, size: 44 },
    ],
    series: [
      {},
      {
        stroke: line,
        width: 1.5,
        fill: `${line}1f`,
        spanGaps: false,
        points: { show: true, filter: end, size: 7, fill: line, stroke: line },
        ...(steps ? { paths: steps } : {}),
      },
    ],
  };
}
