import type { SidecarView } from "../panel/protocol.ts";
import { texts } from "./texts.ts";
import type { Send } from "./world-socket.ts";

function Sidecar({ sidecar, send }: { sidecar: SidecarView; send: Send }) {
  const { name, isUp, served, fromPack, last, hasPoll } = sidecar;
  return (
    <li class={isUp ? "sidecar" : "sidecar down"}>
      <span class={isUp ? "lamp on" : "lamp changing"} aria-hidden="true" />
      <div class="who">
        <span class="name">
          <b>{texts.sidecar(name)}</b>
          {hasPoll && (
            <span class="note asked" title={texts.pollHint}>
              {texts.hasPoll}
            </span>
          )}
        </span>
        <span class="note">{isUp ? texts.served(served, fromPack) : texts.isDown}</span>
        <span class="last">{last.join(", ")}</span>
      </div>
      <button
        type="button"
        class="quiet"
        disabled={!isUp}
        aria-label={texts.killOne(name)}
        title={texts.killHint}
        onClick={() => send({ do: "kill", sidecar: name })}
      >
        {texts.kill}
      </button>
    </li>
  );
}

/** The load of each sidecar, and a button that kills it. */
export function Sidecars({ sidecars, send }: { sidecars: SidecarView[]; send: Send }) {
  return (
    <ul class="sidecars" aria-label={texts.sidecars}>
      {sidecars.map(sidecar => (
        <Sidecar key={sidecar.name} sidecar={sidecar} send={send} />
      ))}
    </ul>
  );
}
