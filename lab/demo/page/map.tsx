import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Head } from "../../../web/head.tsx";
import { type ChatLineView, MAP_X, MAP_Z, type PlayerView } from "../panel/protocol.ts";
import { plainText } from "./chat.tsx";
import { Hearts } from "./hearts.tsx";
import { drawTerrain, PICTURE_HEIGHT, PICTURE_WIDTH } from "./terrain.ts";
import { texts } from "./texts.ts";
import type { WorldSocket } from "./world-socket.ts";

const BUBBLE_MS = 5_000;
const BUBBLE_LENGTH = 60;
const HURT_MS = 350;

/** Percent of the map's height that a name needs above a player, and in which there is no room for what they say. */
const NAME_ROOM = 15;
const BUBBLE_ROOM = 35;
/** Percent of its width, on either side, in which what they say would stick out. */
const SIDE_ROOM = 15;

/** Share of the map from its left or upper edge, in percent; nobody is drawn outside. */
const place = (blocks: number, half: number, least = 2): number =>
  Math.min(98, Math.max(least, ((blocks + half) / (2 * half)) * 100));

/** What each player said last, while it is fresh. */
function useBubbles(lines: readonly ChatLineView[], since: number): ReadonlyMap<string, string> {
  const [bubbles, setBubbles] = useState<ReadonlyMap<string, string>>(new Map());
  const shown = useRef(0);
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  useEffect(() => {
    if (lines.length === 0) shown.current = 0;
    for (const { number, text, to } of lines) {
      if (number <= shown.current || number < since) continue;
      shown.current = number;
      const [, name, said] = /^<(.+?)> (.*)$/.exec(plainText(text)) ?? [];
      if (to !== undefined || name === undefined || said === undefined) continue;
      const short = said.length > BUBBLE_LENGTH ? `${said.slice(0, BUBBLE_LENGTH)}…` : said;
      setBubbles(before => new Map(before).set(name, short));
      const timer = setTimeout(() => {
        timers.current.delete(timer);
        setBubbles(before => {
          const after = new Map(before);
          if (after.get(name) === short) after.delete(name);
          return after;
        });
      }, BUBBLE_MS);
      timers.current.add(timer);
    }
  }, [lines, since]);
  useEffect(() => () => timers.current.forEach(clearTimeout), []);
  return bubbles;
}

/** Whether the health has just gone down. */
function useHurt(health: number): boolean {
  const [isHurt, setHurt] = useState(false);
  const before = useRef(health);
  useEffect(() => {
    const fell = health < before.current;
    before.current = health;
    if (!fell) return;
    setHurt(true);
    const timer = setTimeout(() => setHurt(false), HURT_MS);
    return () => clearTimeout(timer);
  }, [health]);
  return isHurt;
}

function Figure({ player, bubble }: { player: PlayerView; bubble: string | undefined }) {
  const { name, uuid, x, z, health, maxHealth, dead, fighting, form, busy } = player;
  const isHurt = useHurt(health);
  const [left, top] = [place(x, MAP_X), place(z, MAP_Z, NAME_ROOM)];
  const side = left < SIDE_ROOM ? "west" : left > 100 - SIDE_ROOM && "east";
  const kind = [
    "figure",
    top < BUBBLE_ROOM && "north",
    side,
    dead && "dead",
    isHurt && "hurt",
    fighting && "fighting",
  ]
    .filter(Boolean)
    .join(" ");
  return (
    <div
      class={kind}
      style={{ left: `${left.toFixed(2)}%`, top: `${top.toFixed(2)}%`, zIndex: Math.round(z) + 100 }}
    >
      {bubble !== undefined && (
        <p class="bubble">
          <bdi>{bubble}</bdi>
        </p>
      )}
      <p class="tag">
        {(form !== undefined || busy) && (
          <span class={`mark ${form ? "asked" : "away"}`}>{form ? "?" : "…"}</span>
        )}
        <bdi>{name}</bdi>
      </p>
      <Head uuid={uuid} />
      <Hearts health={health} max={maxHealth} />
    </div>
  );
}

/** The world from above. What is put inside is drawn over it. */
export function WorldMap({ socket, children }: { socket: WorldSocket; children: ComponentChildren }) {
  const { connection, lines, since, world } = socket;
  const players = world?.players ?? [];
  const isOff = connection === "lost" || world?.power !== "on";
  const canvas = useRef<HTMLCanvasElement>(null);
  const bubbles = useBubbles(lines, since);
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
          <Figure key={player.name} player={player} bubble={bubbles.get(player.name)} />
        ))}
      </div>
      {children}
    </section>
  );
}
