import { useCallback, useEffect, useState } from "preact/hooks";
import { Announcer, announce } from "../../../web/ui/announce.tsx";
import type { PanelData } from "../panel/protocol.ts";
import { Chat } from "./chat.tsx";
import { Controls } from "./controls.tsx";
import { Screens } from "./form.tsx";
import { WorldMap } from "./map.tsx";
import { Players } from "./players.tsx";
import { Sidecars } from "./sidecars.tsx";
import { Site } from "./site.tsx";
import { explain, texts } from "./texts.ts";
import { type RejectedCommand, useWorld, type WorldSocket } from "./world-socket.ts";

const NOTICE_MS = 6_000;

/** The latest error, for a few seconds. */
function useNotice(): [string, (refused: RejectedCommand) => void] {
  const [notice, setNotice] = useState({ text: "" });
  const tell = useCallback(({ fault, command }: RejectedCommand): void => {
    const text = explain(fault, command);
    setNotice({ text });
    announce(text);
  }, []);
  useEffect(() => {
    if (notice.text === "") return;
    const timer = setTimeout(() => setNotice({ text: "" }), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  return [notice.text, tell];
}

function Overlay({ title, hint }: { title: string; hint?: string }) {
  return (
    <div class="curtain">
      <p>
        <b>{title}</b>
      </p>
      {hint !== undefined && <p>{hint}</p>}
    </div>
  );
}

function World({ socket, notice }: { socket: WorldSocket; notice: string }) {
  const { connection, world, send } = socket;
  const [speaker, setSpeaker] = useState("");
  const [screen, setScreen] = useState("");
  const isLost = connection === "lost";
  return (
    <>
      {world && <Controls world={world} send={send} />}
      <WorldMap socket={socket}>
        <Screens socket={socket} chosen={screen} />
        {isLost && <Overlay title={texts.lost} hint={texts.lostHint} />}
        {!isLost && !world && <Overlay title={texts.connecting} />}
        {!isLost && world?.power === "changing" && <Overlay title={texts.changing} />}
        {!isLost && world?.power === "off" && <Overlay title={texts.stopped} hint={texts.stoppedHint} />}
        {notice !== "" && <p class="notice">{notice}</p>}
      </WorldMap>
      <Chat socket={socket} speaker={speaker} onSpeaker={setSpeaker} />
      {world && <Players world={world} send={send} onSpeaker={setSpeaker} onForm={setScreen} />}
    </>
  );
}

export function App({ data }: { data: PanelData }) {
  const [notice, tell] = useNotice();
  const socket = useWorld(tell);
  return (
    <div class={data.service === undefined ? "page alone" : "page"}>
      <button type="button" class="skip" onClick={toWeb}>
        {texts.skip}
      </button>
      <header>
        <h1>{texts.title}</h1>
        <p class="soft">{data.service === undefined ? texts.taglineAlone : texts.tagline}</p>
      </header>
      <main>
        <section class="world" aria-label={texts.world}>
          <World socket={socket} notice={notice} />
        </section>
        <section id="site" class="site" aria-label={texts.web} tabIndex={-1}>
          {socket.sidecars && <Sidecars sidecars={socket.sidecars} send={socket.send} />}
          {data.service === undefined ? (
            <p class="soft none">{texts.noWeb}</p>
          ) : (
            <Site data={data} send={socket.send} />
          )}
        </section>
      </main>
      <Announcer />
    </div>
  );
}

function toWeb(): void {
  document.getElementById("site")?.focus();
}
