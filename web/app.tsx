import { useEffect, useRef, useState } from "preact/hooks";
import type { ServiceSettings } from "../client/types.ts";
import { Admin } from "./admin/admin.tsx";
import { ChatPanel } from "./chat/chat-panel.tsx";
import { useChat } from "./chat/use-chat.ts";
import { KnownProvider, useKnownOf } from "./known/known-players.ts";
import { PlayerPage } from "./known/player-page.tsx";
import { Link } from "./linking/link-page.tsx";
import { Overview } from "./overview/overview.tsx";
import { useMediaQuery, useStored } from "./platform/hooks.ts";
import { type Page, VISITORS } from "./platform/route.ts";
import { texts } from "./platform/texts.ts";
import { usePlace } from "./platform/use-route.ts";
import { type Game, useGame } from "./servers/game-server.ts";
import { Join } from "./servers/join-address.tsx";
import { ServerTabs } from "./servers/server-tabs.tsx";
import { everywhere, type Servers, titleOf, useServers } from "./servers/servers.ts";
import { useFeed } from "./service/feed.ts";
import type { Session } from "./service/session.ts";
import { Announcer, announce } from "./ui/announce.tsx";
import { LanguageChoice } from "./ui/language-choice.tsx";
import { OneOf } from "./ui/one-of.tsx";
import type { Shown } from "./ui/start.tsx";
import { Title } from "./ui/title.tsx";
import { useArrival } from "./use-arrival.ts";

function Header({ data, game, chosen }: { data: ServiceSettings; game: Game; chosen: Servers["chosen"] }) {
  const { joinAddress } = chosen ?? data;
  return (
    <header>
      <Title {...data} />
      <p class={`state ${game.is}`}>
        <span class="dot" aria-hidden="true" />
        {chosen && <bdi class="of">{titleOf(chosen)}</bdi>}
        <OneOf texts={Object.values(texts.server)} shown={texts.server[game.is]} />
      </p>
      {joinAddress !== undefined && <Join key={joinAddress} address={joinAddress} />}
    </header>
  );
}

/** The page of a player belongs to those of the overview. */
const currentOf = (one: Page, page: Page) =>
  one === page
    ? { "aria-current": "page" as const }
    : one === "overview" && page === "player"
      ? { "aria-current": "true" as const }
      : {};

function Navigation({ page, unread }: { page: Page; unread: number }) {
  return (
    <nav aria-label={texts.sections}>
      {VISITORS.map(one => (
        <a key={one} href={`#${one}`} class={one} {...currentOf(one, page)}>
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

export function App({ data, session, language, onLanguage }: Shown & { session: Session }) {
  const wide = useMediaQuery("(min-width: 62.5em)");
  const [place, replace] = usePlace();
  const [key, setKey] = useState<string | undefined>(undefined);
  const known = useKnownOf(data, key, place, replace);
  const isElsewhere = (wide && place.page === "chat") || (known === undefined && place.page === "player");
  const page = isElsewhere ? "overview" : place.page;
  const servers = useServers(data, page === "you");
  const { chosen: server, of } = servers;
  const feed = useFeed(data.heartbeatMs);
  const figures = useFeed(data.heartbeatMs, { figuresOf: of });
  const { game, points } = useGame(data.refreshMs, of === undefined ? feed : figures, server?.name, of);
  const [hearsAll, setHearsAll] = useStored("chat-of-all");
  const only = hearsAll ? undefined : server?.name;
  const chat = useChat(data, feed, session, only);
  const { maxPlayers } = server ? { ...servers.listed?.get(server.name), ...server } : data;
  // Once there was an answer, the page of another game server is not begun anew.
  const isBegun = useRef(false);
  isBegun.current ||= game.is !== "loading";
  const { current: isShown } = isBegun;
  const hasTabs = isShown && (page === "overview" || page === "whitelist");
  const view = page === "overview" ? (known?.place.view ?? "online") : "online";
  const playerName = page === "player" ? known?.player.player?.name : undefined;

  useEffect(() => {
    const ofView = view === "online" ? server && titleOf(server) : texts.views[view];
    const of = page === "overview" ? ofView : (playerName ?? texts[page]);
    const title = of === undefined ? data.title : `${of} – ${data.title}`;
    document.title = chat.unread > 0 ? `(${chat.unread}) ${title}` : title;
  }, [chat.unread, data.title, page, view, playerName, server, language]);
  useArrival(page, view, known, isShown);
  useEffect(() => {
    if (game.is !== "loading") announce(texts.server[game.is]);
  }, [game.is]);

  return (
    <KnownProvider value={known}>
      <button type="button" class="skip" onClick={skip}>
        {texts.skip}
      </button>
      <div class={`screen ${page}`}>
        <Header data={data} game={game} chosen={server} />
        <Navigation page={page} unread={chat.unread} />
        <main id="content" class={`page ${page}`} tabIndex={-1}>
          <div hidden={page === "chat"}>
            {/* Nothing is drawn that the first answer could push away. */}
            {!isShown && page !== "player" && <p class="soft">{texts.loading}</p>}
            {page === "player" && known && <PlayerPage known={known} />}
            {isShown && page === "you" && (
              <Link
                data={data}
                mode={chat.mode}
                game={everywhere(servers, game)}
                session={chat.session}
                onNewSession={chat.reconnect}
                onLink={chat.askMode}
              />
            )}
            <div hidden={!hasTabs}>
              <ServerTabs servers={servers} game={game} isShown={hasTabs}>
                {isShown && page === "overview" && (
                  <Overview game={game} points={points} maxPlayers={maxPlayers ?? undefined} of={of} />
                )}
                <div hidden={page !== "whitelist"}>
                  <Admin data={data} game={game} of={of} onReader={setKey} />
                </div>
              </ServerTabs>
            </div>
          </div>
          <div class="side" hidden={!wide && page !== "chat"}>
            <ChatPanel
              data={data}
              chat={chat}
              servers={servers}
              only={only}
              onOnly={name => {
                setHearsAll(name === undefined);
                if (name !== undefined) servers.choose(name);
              }}
              isShown={wide || page === "chat"}
            />
          </div>
        </main>
      </div>
      {/* It stands at the end of the screen, or of what is longer. */}
      <footer hidden={!isShown}>
        <a href="#whitelist" {...(page === "whitelist" ? { "aria-current": "page" as const } : {})}>
          {texts.administration}
        </a>
        <LanguageChoice language={language} onLanguage={onLanguage} />
      </footer>
      <Announcer />
    </KnownProvider>
  );
}

function skip(): void {
  document.getElementById("content")?.focus();
}
