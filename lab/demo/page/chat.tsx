import { useEffect, useRef } from "preact/hooks";
import { segments } from "../../../client/index.ts";
import { ColouredSegments } from "../../../web/ui/coloured-text.tsx";
import { type ChatLineView, TEXT_LENGTH } from "../panel/protocol.ts";
import { texts } from "./texts.ts";
import type { WorldSocket } from "./world-socket.ts";

/** Background of the log, as in the style sheet. */
const BACKGROUND = "#1a1c1a";
/** Pixels from the end of the log that still count as its end. */
const NEAR = 30;

/** A text of the game without its colours. */
export const plainText = (text: string): string =>
  segments(text)
    .map(part => part.text)
    .join("");

/** A text in the colours of the game. */
export const ColouredText = ({ text, background }: { text: string; background: string }) => (
  <ColouredSegments segments={segments(text)} background={background} />
);

function Log({ lines }: { lines: readonly ChatLineView[] }) {
  const log = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  useEffect(() => {
    if (atEnd.current && lines.length > 0) log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [lines]);
  const scrolled = (): void => {
    const { current } = log;
    if (current) atEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll the log
    <div ref={log} class="log" role="log" aria-label={texts.chatLog} tabIndex={0} onScroll={scrolled}>
      {lines.length === 0 && <p class="none">{texts.chatEmpty}</p>}
      {lines.map(({ number, text, to }) => (
        <p key={number} dir="auto">
          {to !== undefined && (
            <span class="to">
              <bdi>{texts.onlyFor(to)}</bdi>
            </span>
          )}
          <ColouredText text={text} background={BACKGROUND} />
        </p>
      ))}
    </div>
  );
}

interface ChatProps {
  socket: WorldSocket;
  speaker: string;
  onSpeaker(name: string): void;
}

/** The game chat, and a field to send a message as a player. */
export function Chat({ socket, speaker, onSpeaker }: ChatProps) {
  const { lines, world, send } = socket;
  const players = world?.players ?? [];
  const line = useRef<HTMLInputElement>(null);
  const name = players.some(player => player.name === speaker) ? speaker : players[0]?.name;
  const say = (event: Event): void => {
    event.preventDefault();
    const text = line.current?.value.trim() ?? "";
    if (!line.current || text === "" || name === undefined) return;
    const { current } = line;
    current.value = "";
    void send({ do: "say", name, text }).then(isDone => {
      // A rejected message returns to the field.
      if (!isDone && current.value === "") current.value = text;
    });
  };
  return (
    <section class="game-chat" aria-labelledby="chat-title">
      <h2 id="chat-title" class="sr">
        {texts.chat}
      </h2>
      <Log lines={lines} />
      <form class="speak" onSubmit={say}>
        <select
          aria-label={texts.speaker}
          value={name ?? ""}
          disabled={name === undefined}
          onChange={event => onSpeaker(event.currentTarget.value)}
        >
          {players.map(player => (
            <option key={player.name} value={player.name}>
              {player.name}
            </option>
          ))}
        </select>
        <input
          ref={line}
          id="line"
          aria-label={texts.line}
          placeholder={texts.lineHint}
          maxLength={TEXT_LENGTH}
          autocomplete="off"
        />
        <button type="submit" disabled={name === undefined}>
          {texts.say}
        </button>
      </form>
    </section>
  );
}
