import { useEffect, useState } from "preact/hooks";
import { MAX_TPS, MIN_TPS, type WorldView } from "../panel/protocol.ts";
import { texts } from "./texts.ts";
import type { Send } from "./world-socket.ts";

/** Minimum time between two commands while the slider moves, in milliseconds. */
const SETTLE_MS = 120;

function Speed({ tps, send }: { tps: number; send: Send }) {
  const [moved, setMoved] = useState<number>();
  useEffect(() => {
    if (moved === undefined) return;
    const timer = setTimeout(() => send({ do: "lag", tps: moved }), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [moved, send]);
  useEffect(() => setMoved(undefined), [tps]);
  const current = moved ?? tps;
  return (
    <div class="speed">
      <label for="speed">{texts.speed}</label>
      <input
        id="speed"
        type="range"
        min={MIN_TPS}
        max={MAX_TPS}
        step={0.5}
        value={current}
        aria-valuetext={texts.ticks(current)}
        onInput={event => setMoved(Number(event.currentTarget.value))}
      />
      <output for="speed" class={current < 15 ? "slow" : ""}>
        {texts.tps(current)}
      </output>
    </div>
  );
}

/** The button that starts and stops the game server, and its speed. */
export function Controls({ world, send }: { world: WorldView; send: Send }) {
  const { power, tps } = world;
  return (
    <div class="controls">
      <Speed tps={tps} send={send} />
      <button
        type="button"
        class={power === "off" ? "" : "quiet"}
        disabled={power === "changing"}
        onClick={() => send({ do: "power", on: power === "off" })}
      >
        <span class={`lamp ${power}`} aria-hidden="true" />
        {power === "changing" ? texts.changing : power === "on" ? texts.stop : texts.start}
      </button>
    </div>
  );
}
