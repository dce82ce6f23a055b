import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { PlayerHead } from "../../../web/players/player-head.tsx";
import { MAP_X, MAP_Z, type PlayerView } from "../panel/protocol.ts";
import { Hearts } from "./hearts.tsx";
import { drawTerrain, PICTURE_HEIGHT, PICTURE_WIDTH } from "./terrain.ts";
import { texts } from "./texts.ts";
import type { WorldSocket } from "./world-socket.ts";

/** Height that a name needs above a player, in percent of the map. */
const NAME_ROOM = 15;

/** Position from the left or upper edge of the map in percent, limited to the map. */
const place = (blocks: number, half: number, least = 2): number =>
  Math.min(98, Math.max(least, ((blocks + half) / (2 * half)) * 100));

function Figure({ player: { name, uuid, x, z, health, maxHealth, dead } }: { player: PlayerView }) {
  const [left, top] = [place(x, MAP_X), place(z, MAP_Z, NAME_ROOM)];
  return (
    <div
      class={dead ? "figure dead" : "figure"}
      style={{ left: `${left.toFixed(2)}%`, top: `${top.toFixed(2)}%`, zIndex: Math.round(z) + 100 }}
    >
      <p class="tag">
        <bdi>{name}</bdi>
      </p>
      <PlayerHead uuid={uuid} />
      <Hearts health={health} max={maxHealth} />
    </div>
  );
}

/** The world from above. Children are drawn over it. */
export function WorldMap({ socket, children }: { socket: WorldSocket; children: ComponentChildren }) {
  const { connection, world } = socket;
  const players = world?.players ?? [];
  const isOff = connection === "lost" || world?.power !== "on";
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context) drawTerrain(context);
  }, []);
  return (
    <section class={`map ${isOff ? "off" : ""}`} aria-label={texts.map}>
      {/* The list of players says the same in words. */}
      <div class="land" role="img" aria-label={texts.mapOf(players.length)}>
        <canvas ref={canvas} width={PICTURE_WIDTH} height={PICTURE_HEIGHT} />
        {players.map(player => (
          <Figure key={player.name} player={player} />
        ))}
      </div>
      {children}
    </section>
  );
}
