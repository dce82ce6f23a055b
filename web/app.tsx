import { useEffect, useRef } from "preact/hooks";
import type { ServiceSettings } from "../client/types.ts";
import { Admin } from "./admin/admin.tsx";
import { ActionOutcome, ActionsProvider } from "./admin/player-actions.tsx";
import { useAccess } from "./admin/use-access.ts";
import { OutcomeProvider } from "./admin/use-call.tsx";
import { useModerator } from "./admin/use-moderator.ts";
import { ChatPanel } from "./chat/chat-panel.tsx";
import { useChat } from "./chat/use-chat.ts";
import { KnownPlayersProvider, useKnownPlayersState } from "./known/known-players.ts";
import { PlayerPage } from "./known/player-page.tsx";
import { LinkPage } from "./linking/link-page.tsx";
import { Overview } from "./overview/overview.tsx";
import { useMediaQuery, useStored } from "./platform/hooks.ts";
import { NAVIGATION, type Page } from "./platform/route.ts";
import { texts } from "./platform/texts.ts";
import { useRoute } from "./platform/use-route.ts";
import { visibleText } from "./platform/visible-text.ts";
import { type GameServers, presenceOnAll, useGameServers } from "./servers/game-servers.ts";
import { type GameState, useGameState } from "./servers/game-state.ts";
import { Join } from "./servers/join.tsx";
import { useStateShown } from "./servers/offline-notice.tsx";
import { ServerTabs } from "./servers/server-tabs.tsx";
import { titleOf } from "./servers/server-titles.ts";
import { useFeed } from "./service/feed.ts";
import type { Session } from "./service/session.ts";
import { Announcer, announce } from "./ui/announce.tsx";
import { FixedSizeText } from "./ui/fixed-size-text.tsx";
import { LanguageChoice } from "./ui/language-choice.tsx";
import type { PageProps } from "./ui/start.tsx";
import { Title } from "./ui/title.tsx";
import { useNavigationFocus } from "./use-navigation-focus.ts";

interface HeaderProps {
  data: ServiceSettings;
  game: GameState;
  chosen: GameServers["chosen"];
}

function Header({ data, game, chosen }: HeaderProps) {
  const { joinAddress } = chosen ?? data;
  const state = texts.server[useStateShown(game)];
  useEffect(() => {
    if (game.is !== "loading") announce(state);
  }, [game.is, state]);
  return (
    <header>
      <Title {...data} />
      <p class={`state ${game.is}`}>
        <span class="dot" aria-hidden="true" />
        {chosen && <bdi class="of">{titleOf(chosen)}</bdi>}
        <FixedSizeText texts={Object.values(texts.server)} current={state} />
      </p>
      {joinAddress !== undefined && (
        <Join key={joinAddress} title={chosen ? titleOf(chosen) : data.title} address={joinAddress} />
      )}
    </header>
  );
}

/** `aria-current` of a link to a page. The page of a player is part of the overview. */
function currentOf(link: Page, page: Page) {
  if (link === page) return "page";
  return link === "overview" && page === "player" ? "true" : undefined;
}

const Navigation = ({ page, unread }: { page: Page; unread: number }) => (
  <nav aria-label={texts.sections}>
    {NAVIGATION.map(one => (
      <a key={one} href={`#${one}`} class={one} aria-current={currentOf(one, page)}>
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

export function App({ data, session, language, onLanguage }: PageProps & { session: Session }) {
  const isWide = useMediaQuery("(min-width: 62.5em)");
  const [route, replace] = useRoute();
  const servers = useGameServers(data, route.page === "you");
  const { chosen: server, otherServer } = servers;
  const feed = useFeed(data.heartbeatMs);
  const otherFeed = useFeed(data.heartbeatMs, { figuresOf: otherServer });
  const figuresFeed = otherServer === undefined ? feed : otherFeed;
  const { game, points } = useGameState(data.refreshMs, figuresFeed, server?.name, otherServer);
  const { moderator, read: readModerator } = useModerator(data, session);
  const serverTitle = server ? titleOf(server) : "";
  const access = useAccess(data, game, otherServer, serverTitle, moderator, () => void readModerator());
  const known = useKnownPlayersState(data, access.readerKey, route, replace);
  const isUnavailable = (isWide && route.page === "chat") || (known === undefined && route.page === "player");
  const page = isUnavailable ? "overview" : route.page;
  const [isChatOfAll, setIsChatOfAll] = useStored("chat-of-all");
  const onlyServer = isChatOfAll ? undefined : server?.name;
  const chat = useChat(data, feed, session, onlyServer);
  const { maxPlayers } = server ? { ...servers.states?.get(server.name), ...server } : data;
  // After the first answer, content stays while another game server loads.
  const hasAnswer = useRef(false);
  hasAnswer.current ||= game.is !== "loading";
  const { current: isVisible } = hasAnswer;
  const hasTabs = isVisible && (page === "overview" || page === "administration");
  const view = page === "overview" ? (known?.route.view ?? "online") : "online";
  const player = page === "player" ? known?.details.player : undefined;
  const playerName = player && visibleText(player.name);

  useEffect(() => {
    const ofView = view === "online" ? server && titleOf(server) : texts.views[view];
    const ofPage = page === "overview" ? ofView : (playerName ?? texts[page]);
    const title = ofPage === undefined ? data.title : `${ofPage} – ${data.title}`;
    document.title = chat.unread > 0 ? `(${chat.unread}) ${title}` : title;
  }, [chat.unread, data.title, page, view, playerName, server, language]);
  useNavigationFocus(page, view, known, isVisible);

  return (
    <KnownPlayersProvider value={known}>
      <OutcomeProvider>
        <ActionsProvider control={access} game={game} page={page}>
          <button type="button" class="skip" onClick={() => document.getElementById("content")?.focus()}>
            {texts.skip}
          </button>
          <div class={`screen ${page}`}>
            <Header data={data} game={game} chosen={server} />
            <Navigation page={page} unread={chat.unread} />
            <main id="content" class={`page ${page}`} tabIndex={-1}>
              <div hidden={page === "chat"}>
                {/* Nothing is drawn that the first answer could move. */}
                {!isVisible && page !== "player" && <p class="soft">{texts.loading}</p>}
                {page === "player" && known && <PlayerPage known={known} />}
                {isVisible && page === "you" && (
                  <LinkPage
                    data={data}
                    mode={chat.mode}
                    game={presenceOnAll(servers, game)}
                    session={chat.session}
                    onNewSession={chat.reconnect}
                    onLink={() => {
                      chat.pollMode();
                      void readModerator();
                    }}
                  />
                )}
                <div hidden={!hasTabs}>
                  <ServerTabs servers={servers} game={game} isVisible={hasTabs}>
                    {isVisible && page === "overview" && (
                      <Overview
                        game={game}
                        points={points}
                        maxPlayers={maxPlayers ?? undefined}
                        otherServer={otherServer}
                      />
                    )}
                    <div hidden={page !== "administration"}>
                      <Admin data={data} game={game} control={access} />
                    </div>
                  </ServerTabs>
                </div>
              </div>
              <div class="side" hidden={!isWide && page !== "chat"}>
                <ChatPanel
                  data={data}
                  chat={chat}
                  servers={servers}
                  onlyServer={onlyServer}
                  onServer={name => {
                    setIsChatOfAll(name === undefined);
                    if (name !== undefined) servers.choose(name);
                  }}
                  isVisible={isWide || page === "chat"}
                />
              </div>
              <ActionOutcome />
            </main>
          </div>
          {/* At the end of the screen, or of longer content. */}
          <footer hidden={!isVisible}>
            <a href="#administration" aria-current={currentOf("administration", page)}>
              {texts.administration}
            </a>
            <LanguageChoice language={language} onLanguage={onLanguage} />
          </footer>
          <Announcer />
        </ActionsProvider>
      </OutcomeProvider>
    </KnownPlayersProvider>
  );
}
