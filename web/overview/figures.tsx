import { useState } from "preact/hooks";
import type { HistoryPoint, HistorySpan, Metrics } from "../../client/index.ts";
import { SPANS, setSpanInAddress, spanInAddress } from "../platform/address.ts";
import * as format from "../platform/format.ts";
import { texts } from "../platform/texts.ts";
import { type GameState, latestFigures } from "../servers/game-state.ts";
import { type Level, levelOfShare, levelOfTps, SHARE_WARN, TPS_BAD, TPS_FULL, TPS_WARN } from "./levels.ts";
import { Plot, type PlotData, type PlotProps, type PointedTime, peaksOf } from "./plot.tsx";
import { useRollups } from "./use-rollups.ts";

const MINUTE_MS = 60_000;
const HOUR_MIN = 60;
const DAY_MS = 86_400_000;

/** The span of time of the plots, in words. */
function spanOf({ span, points, slotMs, since }: PlotData): string {
  if (slotMs > 0) {
    const lengthMs = (points.at(-1)?.at ?? 0) + slotMs - (since ?? 0);
    const isWhole = since === undefined || lengthMs >= Number.parseInt(span, 10) * DAY_MS;
    // The middle of a day of the service has the same date in almost every time zone.
    return isWhole
      ? texts.last[span]
      : texts.since(format.moment(since + (slotMs < DAY_MS ? 0 : slotMs / 2), slotMs));
  }
  const minutes = since === undefined ? HOUR_MIN : Math.max(1, Math.round((Date.now() - since) / MINUTE_MS));
  return minutes >= HOUR_MIN ? texts.last[span] : texts.lastMinutes(minutes);
}

interface FigureProps extends Omit<PlotProps, "onPoint" | "now" | "spanText"> {
  /** whether its plot is shown */
  isOpen: boolean;
  value: string;
  /** of the scale, where the name does not say it */
  unit?: string;
  /** whether the history has loaded */
  isLoaded: boolean;
  /** time of the value in milliseconds since 1970, where it is old */
  oldSince: number | undefined;
  /** what the value is a part of */
  of?: string;
  level?: Level;
  /** what the levels mean */
  levelTexts?: { warn: string; bad?: string };
}

/** A current figure, once opened with a plot of its history and limits. */
function Figure(props: FigureProps) {
  const { isOpen, value, unit, isLoaded, oldSince, of = "", level = "", levelTexts, ...plot } = props;
  const [pointed, setPointed] = useState<PointedTime | undefined>(undefined);
  const spanText = [spanOf(plot), unit].filter(Boolean).join(" · ");
  const { slotMs, figure, points } = plot;
  const peaks = figure === "onlinePlayerCount" ? peaksOf(points).filter(one => one !== null) : [];
  const timeText = (at: number): string =>
    slotMs < (HOUR_MIN * MINUTE_MS) / 2 ? format.clock(at) : format.moment(at, slotMs);
  return (
    <div class={`gauge ${oldSince === undefined ? level : "old"}`}>
      <dt>
        {plot.name}{" "}
        {isOpen &&
          (pointed === undefined ? (
            <span class={isLoaded ? "when" : "when unknown"}>{spanText}</span>
          ) : (
            <span class="when" aria-hidden="true">
              {`${timeText(pointed.at)}, ${format.known(pointed.value, plot.show)}`}
            </span>
          ))}
      </dt>
      <dd>
        <p class="value">
          <strong>{value}</strong> <span class="of">{of}</span>
          {oldSince === undefined && level !== "" && levelTexts && (
            <span class="level">{levelTexts[level]}</span>
          )}
          {isOpen && peaks.length > 0 && (
            <span class="peak">{texts.peak(format.count(pointed?.peak ?? Math.max(...peaks)))}</span>
          )}
        </p>
        {isOpen && (
          <Plot
            {...plot}
            spanText={spanText}
            now={oldSince === undefined ? value : texts.none}
            onPoint={setPointed}
          />
        )}
      </dd>
    </div>
  );
}

/** Whether memory and CPU are measured: by the newest report, else by earlier points. */
function measured(metrics: Metrics | undefined, points: readonly HistoryPoint[]) {
  if (metrics) return { memory: metrics.memoryMaxMB > 0, cpu: metrics.cpuUsage >= 0 };
  const known = points.filter(({ tps }) => tps !== null);
  return {
    memory: known.length === 0 || known.some(({ memoryUsedMB }) => memoryUsedMB !== null),
    cpu: known.length === 0 || known.some(({ cpuUsage }) => cpuUsage !== null),
  };
}

interface FiguresProps {
  game: GameState;
  /** of the last hour; undefined until they have loaded */
  points: readonly HistoryPoint[] | undefined;
  /** undefined where it is unknown */
  maxPlayers: number | undefined;
  /** name of the game server, unless it is the first one */
  otherServer: string | undefined;
}

const NONE: PlotData["points"] = [];
const DEFAULT_SPAN: HistorySpan = "1h";
const PLOTS = "plots";
/** The shortest roll-ups are five minutes long. */
const POLL_MS = 30_000;

/** The current figures of a game server in a row; once opened with plots of a span of time, which the address names. */
export function Figures({ game, points, maxPlayers, otherServer }: FiguresProps) {
  const [visibleSpan, setShownSpan] = useState(spanInAddress);
  const isOpen = visibleSpan !== undefined;
  const span = visibleSpan ?? DEFAULT_SPAN;
  const choose = (next: HistorySpan | undefined): void => {
    setShownSpan(next);
    setSpanInAddress(next);
  };
  const rollups = useRollups(span, otherServer, POLL_MS);
  const latest = latestFigures(game);
  const metrics = latest?.metrics;
  const has = measured(metrics, points ?? []);
  const isLong = span !== "1h";
  const drawn = (isLong ? rollups?.points : points) ?? NONE;
  const plot = {
    isOpen,
    span,
    points: drawn,
    slotMs: isLong ? (rollups?.intervalMs ?? 0) : 0,
    since: drawn.find(({ tps }) => tps !== null)?.at,
    isLoaded: (isLong ? rollups : points) !== undefined,
    oldSince: game.is === "unreachable" && latest ? game.lastSeen : undefined,
  };
  const textFor = (show: (current: Metrics) => string, otherwise = texts.none): string =>
    metrics ? show(metrics) : otherwise;
  const levelFor = (judge: (current: Metrics) => Level): Level => (metrics ? judge(metrics) : "");
  const memoryMax = metrics?.memoryMaxMB ?? 0;
  const hidden = has.memory ? "cpu" : has.cpu ? "memory" : "both";
  return (
    <section class={isOpen ? "figures" : "figures glance"} aria-labelledby="figures">
      <div class="section-head">
        <h2 id="figures">{texts.figures}</h2>
        {plot.oldSince !== undefined && <span class="since">{texts.old(format.clock(plot.oldSince))}</span>}
        <button
          type="button"
          class="quiet"
          aria-expanded={isOpen}
          aria-controls={PLOTS}
          onClick={() => choose(isOpen ? undefined : DEFAULT_SPAN)}
        >
          {texts.history}
        </button>
      </div>
      {isOpen && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is sent, and draws a frame
        <div class="spans" role="group" aria-label={texts.period}>
          {SPANS.map(one => (
            <button key={one} type="button" aria-pressed={one === span} onClick={() => choose(one)}>
              {texts.spans[one]}
            </button>
          ))}
        </div>
      )}
      <dl class="gauges" id={PLOTS}>
        <Figure
          {...plot}
          name={texts.tps}
          figure="tps"
          value={textFor(({ tps }) => format.tps(tps))}
          of={textFor(() => texts.of(format.count(TPS_FULL)), "")}
          level={levelFor(({ tps }) => levelOfTps(tps))}
          levelTexts={texts.level.tps}
          limits={[
            { at: TPS_FULL, level: "" },
            { at: TPS_WARN, level: "warn" },
            { at: TPS_BAD, level: "bad" },
          ]}
          range={low => [low < TPS_BAD ? 0 : low < TPS_WARN - 2 ? TPS_BAD - 2 : TPS_WARN - 3, TPS_FULL + 0.5]}
          show={format.tps}
        />
        {isOpen && (
          <Figure
            {...plot}
            name={texts.online}
            figure="onlinePlayerCount"
            value={textFor(({ onlinePlayerCount }) => format.count(onlinePlayerCount))}
            of={maxPlayers === undefined ? "" : textFor(() => texts.of(format.count(maxPlayers)), "")}
            range={(_low, high) => [0, Math.max(4, high * 1.15)]}
            stepped={!isLong}
            show={isLong ? format.mean : format.count}
          />
        )}
        {has.memory && (
          <Figure
            {...plot}
            name={texts.memory}
            figure="memoryUsedMB"
            unit={format.unitOf("memory")}
            value={textFor(({ memoryUsedMB }) => format.memory(memoryUsedMB))}
            of={textFor(() => texts.of(format.memory(memoryMax)), "")}
            level={levelFor(({ memoryUsedMB }) => levelOfShare(memoryUsedMB / memoryMax))}
            levelTexts={texts.level.share}
            limits={memoryMax > 0 ? [{ at: memoryMax * SHARE_WARN, level: "warn" }] : []}
            range={(_low, high) => [0, Math.max(64, high * 1.25)]}
            show={format.memory}
          />
        )}
        {has.cpu && (
          <Figure
            {...plot}
            name={texts.cpu}
            figure="cpuUsage"
            unit={format.unitOf("percent")}
            value={textFor(({ cpuUsage }) => format.percent(cpuUsage))}
            of={textFor(() => texts.cpuOf, "")}
            level={levelFor(({ cpuUsage }) => levelOfShare(cpuUsage / 100))}
            levelTexts={texts.level.share}
            limits={[{ at: SHARE_WARN * 100, level: "warn" }]}
            range={(_low, high) => [0, Math.min(100, Math.max(5, high * 1.25))]}
            show={format.percent}
          />
        )}
      </dl>
      {isOpen && (!has.memory || !has.cpu) && <p class="not-measured">{texts.hidden[hidden]}</p>}
    </section>
  );
}
