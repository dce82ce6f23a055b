import { useEffect, useState } from "preact/hooks";
import { Admin } from "./admin.tsx";
import { Announcer, announce } from "./announce.tsx";
import { ChatPanel } from "./chat.tsx";
import { useChat } from "./chat-state.ts";
import type { ConsoleData } from "./console-data.ts";
import { type Game, useGame } from "./game.ts";
import { useMedia } from "./hooks.ts";
import { Link } from "./link.tsx";
import { Overview } from "./overview.tsx";
import { texts } from "./texts.ts";

const PARTS = ["overview", "chat", "you", "whitelist"] as const;
type Part = (typeof PARTS)[number];

const partOf = (hash: string): Part => PARTS.find(part => `#${part}` === hash) ?? "overview";

function usePart(): Part {
  const [part, setPart] = useState<Part>(() => partOf(location.hash));
  useEffect(() => {
    const follow = (): void => setPart(partOf(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return part;
}

function Header({ title, game }: { title: string; game: Game }) {
  return (
    <header>
      <h1>{title}</h1>
      <p class={`state ${game.is}`}>
        <span class="dot" aria-hidden="true" />
        {texts.server[game.is]}
      </p>
    </header>
  );
}

function Navigation({ part, unread }: { part: Part; unread: number }) {
  return (
    <nav aria-label={texts.sections}>
      {PARTS.map(one => (
        <a
          key={one}
          href={`#${one}`}
          class={one}
          {...(one === part ? { "aria-current": "page" as const } : {})}
        >
          {texts[one]}
          {one === "chat" && unread > 0 && (
            <span class="badge">
              {unread}
              <span class="sr"> {texts.newLines(unread)}</span>
            </span>
          )}
        </a>
      ))}
    </nav>
  );
}

export function App({ data }: { data: ConsoleData }) {
  const wide = useMedia("(min-width: 1000px)");
  const chosen = usePart();
  const part = wide && chosen === "chat" ? "overview" : chosen;
  const { game, points } = useGame(data.refreshMs);
  const chat = useChat(data);

  useEffect(() => {
    document.title = chat.unread > 0 ? `(${chat.unread}) ${data.title}` : data.title;
  }, [chat.unread, data.title]);
  useEffect(() => {
    if (game.is !== "loading") announce(texts.server[game.is]);
  }, [game.is]);

  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        {texts.skip}
      </button>
      <Header title={data.title} game={game} />
      <Navigation part={part} unread={chat.unread} />
      <main id="content" class={`page ${part}`} tabIndex={-1}>
        <div hidden={part === "chat"}>
          {/* Nothing is drawn that the first answer could push away. */}
          {game.is === "loading" && <p class="soft">{texts.loading}</p>}
          {game.is !== "loading" && part === "overview" && <Overview game={game} points={points} />}
          {game.is !== "loading" && part === "you" && <Link data={data} game={game} />}
          <div hidden={part !== "whitelist" || game.is === "loading"}>
            <Admin data={data} game={game} />
          </div>
        </div>
        <div class="side" hidden={!wide && part !== "chat"}>
          <ChatPanel data={data} chat={chat} isShown={wide || part === "chat"} />
        </div>
      </main>
      <Announcer />
    </>
  );
}

function skip(): void {
  document.getElementById("content")?.focus();
}
