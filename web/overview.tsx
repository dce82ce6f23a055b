import type { HistoryPoint } from "../client/index.ts";
import * as format from "./format.ts";
import type { Game } from "./game.ts";
import { Meter } from "./meter.tsx";
import { OfflineNotice } from "./offline-notice.tsx";
import { Players } from "./players.tsx";
import { Plot } from "./plot.tsx";
import { texts } from "./texts.ts";

interface TileProps {
  name: string;
  value: string;
  of: string;
  share: number;
  kind?: string;
}

function Tile({ name, value, of, share, kind = "" }: TileProps) {
  return (
    <div class="tile">
      <dt>{name}</dt>
      <dd>
        <strong>{value}</strong> <span class="soft">{of}</span>
      </dd>
      <Meter share={share} kind={kind} />
    </div>
  );
}

const quality = (tps: number): string => (tps >= 18 ? "" : tps >= 12 ? "warn" : "bad");

function Tiles({ game }: { game: Game }) {
  const metrics = game.is === "online" ? game.metrics : undefined;
  const { tps = 0, onlinePlayerCount = 0, memoryUsedMB = 0, memoryMaxMB = 0, cpuUsage = -1 } = metrics ?? {};
  const shown = (text: string, without = texts.none): string => (metrics ? text : without);
  const seesMemory = memoryMaxMB > 0;
  const seesCpu = cpuUsage >= 0;
  const hidden = metrics ? texts.notVisible : "";
  return (
    <dl class="tiles">
      <Tile
        name={texts.tps}
        value={shown(format.tps(tps))}
        of={shown(texts.tpsOf, "")}
        share={tps / 20}
        kind={quality(tps)}
      />
      <Tile
        name={texts.online}
        value={shown(format.count(onlinePlayerCount))}
        of=""
        share={onlinePlayerCount / 10}
      />
      <Tile
        name={texts.memory}
        value={seesMemory ? format.memory(memoryUsedMB) : texts.none}
        of={seesMemory ? texts.memoryOf(format.memory(memoryMaxMB)) : hidden}
        share={seesMemory ? memoryUsedMB / memoryMaxMB : 0}
      />
      <Tile
        name={texts.cpu}
        value={seesCpu ? format.percent(cpuUsage) : texts.none}
        of={seesCpu ? texts.cpuOf : hidden}
        share={cpuUsage / 100}
      />
    </dl>
  );
}

export function Overview({ game, points }: { game: Game; points: readonly HistoryPoint[] }) {
  return (
    <>
      <OfflineNotice game={game} />
      <Tiles game={game} />
      <div class="plots">
        <Plot name={texts.tps} figure="tps" points={points} top={20} show={format.tps} />
        <Plot
          name={texts.online}
          figure="onlinePlayerCount"
          points={points}
          top={5}
          stepped
          show={format.count}
        />
        <Plot
          name={`${texts.memory}, MB`}
          figure="memoryUsedMB"
          points={points}
          top={256}
          show={format.memory}
        />
        <Plot name={`${texts.cpu}, %`} figure="cpuUsage" points={points} top={25} show={format.percent} />
      </div>
      <Players game={game} />
    </>
  );
}
