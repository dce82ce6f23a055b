import { useEffect, useState } from "preact/hooks";
import { MAX_TPS, MIN_TPS, type WorldView } from "../panel/protocol.ts";
import type { Command } from "../panel/read-command.ts";
import { texts } from "./texts.ts";

/** While the slider moves, one command for so many milliseconds. */
const SETTLE_MS = 120;

function Speed({ tps, give }: { tps: number; give(command: Command): Promise<boolean> }) {
  const [moved, setMoved] = useState<number>();
  useEffect(() => {
    if (moved === undefined) return;
    const timer = setTimeout(() => give({ do: "lag", tps: moved }), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [moved, give]);
  useEffect(() => setMoved(undefined), [tps]);
  const shown = moved ?? tps;
  return (
    <div class="speed">
      <label for="speed">{texts.speed}</label>
      <input
        id="speed"
        type="range"
        min={MIN_TPS}
        max={MAX_TPS}
        step={0.5}
        value={shown}
        aria-valuetext={texts.ticks(shown)}
        onInput={event => setMoved(Number(event.currentTarget.value))}
      />
      <output for="speed" class={shown < 15 ? "slow" : ""}>
        {texts.tps(shown)}
      </output>
    </div>
  );
}

/** The switch of the game server, and its speed. */
export function Controls({ world, give }: { world: WorldView; give(command: Command): Promise<boolean> }) {
  const { power, tps } = world;
  return (
    <div class="controls">
      <Speed tps={tps} give={give} />
      <button
        type="button"
        class={power === "off" ? "" : "quiet"}
        disabled={power === "changing"}
        onClick={() => give({ do: "power", on: power === "off" })}
      >
        <span class={`lamp ${power}`} aria-hidden="true" />
        {power === "changing" ? texts.changing : power === "on" ? texts.stop : texts.start}
      </button>
    </div>
  );
}
