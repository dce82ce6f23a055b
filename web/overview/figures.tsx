import { useState } from "preact/hooks";
import type { HistoryMeans, HistoryPoint, HistorySpan, Metrics } from "../../client/index.ts";
import * as format from "../platform/format.ts";
import { texts } from "../platform/texts.ts";
import { type Game, shownOf } from "../servers/game-server.ts";
import { type Level, levelOfShare, levelOfTps, SHARE_WARN, TPS_BAD, TPS_FULL, TPS_WARN } from "./levels.ts";
import { Plot, type PlotProps, type Pointed, peaksOf, type Shown } from "./plot.tsx";

const MINUTE_MS = 60_000;
const HOUR_MIN = 60;
const DAY_MS = 86_400_000;

/** Which time the plots are of, in words. */
function spanOf({ span, points, slotMs, since }: Shown): string {
  if (slotMs > 0) {
    const longMs = (points.at(-1)?.at ?? 0) + slotMs - (since ?? 0);
    const isWhole = since === undefined || longMs >= Number.parseInt(span, 10) * DAY_MS;
    // A day of the service is called by its middle: there it is the same day in almost every time zone.
    return isWhole
      ? texts.last[span]
      : texts.since(format.moment(since + (slotMs < DAY_MS ? 0 : slotMs / 2), slotMs));
  }
  const minutes = since === undefined ? HOUR_MIN : Math.max(1, Math.round((Date.now() - since) / MINUTE_MS));
  return minutes >= HOUR_MIN ? texts.last[span] : texts.lastMinutes(minutes);
}

interface FigureProps extends Omit<PlotProps, "onPoint" | "now" | "spanText"> {
  value: string;
  /** what the scale counts, where the name does not say it */
  unit?: string;
  /** whether it is known what it was before */
  isKnown: boolean;
  /** of when it is, in milliseconds since 1970, where it is not of now */
  oldFrom: number | undefined;
  of?: string;
  level?: Level;
  /** what a level means here */
  says?: Record<"warn" | "bad", string>;
}

/** A figure of now, with what it was before and where its limits are. */
function Figure({ value, unit, isKnown, oldFrom, of = "", level = "", says, ...plot }: FigureProps) {
  const [pointed, setPointed] = useState<Pointed | undefined>(undefined);
  const spanText = [spanOf(plot), unit].filter(Boolean).join(" · ");
  const { slotMs, figure, points } = plot;
  const peaks = figure === "onlinePlayerCount" ? peaksOf(points).filter(one => one !== null) : [];
  const at = (time: number): string =>
    slotMs < (HOUR_MIN * MINUTE_MS) / 2 ? format.clock(time) : format.moment(time, slotMs);
  return (
    <div class={`gauge ${oldFrom === undefined ? level : "old"}`}>
      <dt>
        {plot.name}{" "}
        {pointed === undefined ? (
          <span class={isKnown ? "when" : "when unknown"}>{spanText}</span>
        ) : (
          <span class="when" aria-hidden="true">
            {`${at(pointed.at)}, ${format.known(pointed.value, plot.show)}`}
          </span>
        )}
      </dt>
      <dd>
        <p class="value">
          <strong>{value}</strong> <span class="of">{of}</span>
          {oldFrom !== undefined && <span class="since">{texts.old(format.clock(oldFrom))}</span>}
          {oldFrom === undefined && level !== "" && says && <span class="level">{says[level]}</span>}
          {peaks.length > 0 && (
            <span class="peak">{texts.peak(format.count(pointed?.peak ?? Math.max(...peaks)))}</span>
          )}
        </p>
        <Plot
          {...plot}
          spanText={spanText}
          now={oldFrom === undefined ? value : texts.none}
          onPoint={setPointed}
        />
      </dd>
    </div>
  );
}

/** Whether memory and processor can be seen: the newest report says so, else what is left of those before. */
function visible(
  metrics: Metrics | undefined,
  points: readonly HistoryPoint[],
): { memory: boolean; cpu: boolean } {
  if (metrics) return { memory: metrics.memoryMaxMB > 0, cpu: metrics.cpuUsage >= 0 };
  const known = points.filter(({ tps }) => tps !== null);
  return {
    memory: known.length === 0 || known.some(({ memoryUsedMB }) => memoryUsedMB !== null),
    cpu: known.length === 0 || known.some(({ cpuUsage }) => cpuUsage !== null),
  };
}

interface FiguresProps {
  game: Game;
  /** of the last hour; nothing until they are known */
  points: readonly HistoryPoint[] | undefined;
  span: HistorySpan;
  /** of a longer span; nothing until they are known */
  means: HistoryMeans | undefined;
  /** players that fit in, where that is known */
  maxPlayers: number | undefined;
}

const NONE: Shown["points"] = [];

export function Figures({ game, points: known, span, means, maxPlayers }: FiguresProps) {
  const points = known ?? [];
  const shown = shownOf(game);
  const metrics = shown?.metrics;
  const sees = visible(metrics, points);
  const isLong = span !== "1h";
  const drawn = isLong ? (means?.points ?? NONE) : points;
  const plot = {
    span,
    points: drawn,
    slotMs: isLong ? (means?.intervalMs ?? 0) : 0,
    since: drawn.find(({ tps }) => tps !== null)?.at,
    isKnown: (isLong ? means : known) !== undefined,
    oldFrom: game.is === "unreachable" && shown ? game.lastSeen : undefined,
  };
  const memoryMax = metrics?.memoryMaxMB ?? 0;
  const hidden = sees.memory ? "cpu" : sees.cpu ? "memory" : "both";
  return (
    <>
      <dl class="gauges">
        <Figure
          {...plot}
          name={texts.tps}
          figure="tps"
          value={metrics ? format.tps(metrics.tps) : texts.none}
          of={metrics ? texts.of(format.count(TPS_FULL)) : ""}
          level={metrics ? levelOfTps(metrics.tps) : ""}
          says={texts.level.tps}
          limits={[
            { at: TPS_FULL, level: "" },
            { at: TPS_WARN, level: "warn" },
            { at: TPS_BAD, level: "bad" },
          ]}
          range={low => [low < TPS_BAD ? 0 : low < TPS_WARN - 2 ? TPS_BAD - 2 : TPS_WARN - 3, TPS_FULL + 0.5]}
          show={format.tps}
        />
        <Figure
          {...plot}
          name={texts.online}
          figure="onlinePlayerCount"
          value={metrics ? format.count(metrics.onlinePlayerCount) : texts.none}
          of={metrics && maxPlayers !== undefined ? texts.of(format.count(maxPlayers)) : ""}
          range={(_low, high) => [0, Math.max(4, high * 1.15)]}
          stepped={!isLong}
          show={isLong ? format.mean : format.count}
        />
        {sees.memory && (
          <Figure
            {...plot}
            name={texts.memory}
            figure="memoryUsedMB"
            unit={format.unitOf("memory")}
            value={metrics ? format.memory(metrics.memoryUsedMB) : texts.none}
            of={metrics ? texts.of(format.memory(memoryMax)) : ""}
            level={metrics ? levelOfShare(metrics.memoryUsedMB / memoryMax) : ""}
            says={texts.level.share}
            limits={memoryMax > 0 ? [{ at: memoryMax * SHARE_WARN, level: "warn" }] : []}
            range={(_low, high) => [0, Math.max(64, high * 1.25)]}
            show={format.memory}
          />
        )}
        {sees.cpu && (
          <Figure
            {...plot}
            name={texts.cpu}
            figure="cpuUsage"
            unit={format.unitOf("percent")}
            value={metrics ? format.percent(metrics.cpuUsage) : texts.none}
            of={metrics ? texts.cpuOf : ""}
            level={metrics ? levelOfShare(metrics.cpuUsage / 100) : ""}
            says={texts.level.share}
            limits={[{ at: SHARE_WARN * 100, level: "warn" }]}
            range={(_low, high) => [0, Math.min(100, Math.max(5, high * 1.25))]}
            show={format.percent}
          />
        )}
      </dl>
      {(!sees.memory || !sees.cpu) && <p class="unseen">{texts.hidden[hidden]}</p>}
    </>
  );
}
