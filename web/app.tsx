import { useEffect, useRef, useState } from "preact/hooks";
import type { ServiceSettings } from "../client/types.ts";
import { Admin } from "./admin.tsx";
import { Announcer, announce } from "./announce.tsx";
import { ChatPanel } from "./chat.tsx";
import { useChat } from "./chat-state.ts";
import { useFeed } from "./feed.ts";
import { type Game, useGame } from "./game.ts";
import { useMediaQuery } from "./hooks.ts";
import { Join } from "./join.tsx";
import { LANGUAGES, type Language } from "./languages.ts";
import { Link } from "./link.tsx";
import { OneOf } from "./one-of.tsx";
import { Overview } from "./overview.tsx";
import type { Session } from "./session.ts";
import { texts } from "./texts.ts";

const PAGES = ["overview", "chat", "you", "whitelist"] as const;
type Page = (typeof PAGES)[number];
/** Those that the bar leads to; whoever keeps the server finds the other below the page. */
const VISITORS = PAGES.filter(page => page !== "whitelist");

const NAMES = Object.keys(LANGUAGES) as Language[];

const pageOf = (hash: string): Page => PAGES.find(page => `#${page}` === hash) ?? "overview";

function usePage(): Page {
  const [page, setPage] = useState<Page>(() => pageOf(location.hash));
  useEffect(() => {
    const follow = (): void => setPage(pageOf(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return page;
}

function Header({ data: { title, logo, joinAddress }, game }: { data: ServiceSettings; game: Game }) {
  return (
    <header>
      <h1>
        {logo !== undefined && (
          // The title beside it says the same. An image without words takes no room until it is there, so that the box keeps it.
          <span class="logo">
            <img
              src={logo}
              alt=""
              onError={({ currentTarget }) => {
                currentTarget.hidden = true;
              }}
            />
          </span>
        )}
        <span>{title}</span>
      </h1>
      <p class={`state ${game.is}`}>
        <span class="dot" aria-hidden="true" />
        <OneOf texts={Object.values(texts.server)} shown={texts.server[game.is]} />
      </p>
      {joinAddress !== undefined && <Join address={joinAddress} />}
    </header>
  );
}

function Navigation({ page, unread }: { page: Page; unread: number }) {
  return (
    <nav aria-label={texts.sections}>
      {VISITORS.map(one => (
        <a
          key={one}
          href={`#${one}`}
          class={one}
          {...(one === page ? { "aria-current": "page" as const } : {})}
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

interface Props {
  data: ServiceSettings;
  session: Session;
  language: Language;
  onLanguage(language: Language): void;
}

export function App({ data, session, language, onLanguage }: Props) {
  const wide = useMediaQuery("(min-width: 62.5em)");
  const chosen = usePage();
  const page = wide && chosen === "chat" ? "overview" : chosen;
  const feed = useFeed(data.heartbeatMs);
  const { game, points } = useGame(data.refreshMs, feed);
  const chat = useChat(data, feed, session);

  useEffect(() => {
    const title = page === "overview" ? data.title : `${texts[page]} – ${data.title}`;
    document.title = chat.unread > 0 ? `(${chat.unread}) ${title}` : title;
  }, [chat.unread, data.title, page, language]);
  const before = useRef(page);
  useEffect(() => {
    if (before.current === page) return;
    before.current = page;
    announce(texts[page]);
    scrollTo(0, 0);
  }, [page]);
  useEffect(() => {
    if (game.is !== "loading") announce(texts.server[game.is]);
  }, [game.is]);

  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        {texts.skip}
      </button>
      <div class={`screen ${page}`}>
        <Header data={data} game={game} />
        <Navigation page={page} unread={chat.unread} />
        <main id="content" class={`page ${page}`} tabIndex={-1}>
          <div hidden={page === "chat"}>
            {/* Nothing is drawn that the first answer could push away. */}
            {game.is === "loading" && <p class="soft">{texts.loading}</p>}
            {game.is !== "loading" && page === "overview" && (
              <Overview game={game} points={points} maxPlayers={data.maxPlayers} />
            )}
            {game.is !== "loading" && page === "you" && (
              <Link
                data={data}
                mode={chat.mode}
                game={game}
                session={chat.session}
                onNewSession={chat.reconnect}
                onLink={chat.askMode}
              />
            )}
            <div hidden={page !== "whitelist" || game.is === "loading"}>
              <Admin data={data} game={game} />
            </div>
          </div>
          <div class="side" hidden={!wide && page !== "chat"}>
            <ChatPanel data={data} chat={chat} isShown={wide || page === "chat"} />
          </div>
        </main>
      </div>
      {/* It stands at the end of the screen, or of what is longer. */}
      <footer hidden={game.is === "loading"}>
        <a href="#whitelist" {...(page === "whitelist" ? { "aria-current": "page" as const } : {})}>
          {texts.administration}
        </a>
        <label class="language">
          {texts.language}
          <select
            value={language}
            onChange={({ currentTarget }) => {
              const chosen = NAMES.find(name => name === currentTarget.value);
              if (chosen) onLanguage(chosen);
            }}
          >
            {NAMES.map(name => (
              <option key={name} value={name} lang={name.replace("_", "-")}>
                {LANGUAGES[name]}
              </option>
            ))}
          </select>
        </label>
      </footer>
      <Announcer />
    </>
  );
}

function skip(): void {
  document.getElementById("content")?.focus();
}
