import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ChatState, ServiceSettings } from "../../client/index.ts";
import { day } from "../platform/format.ts";
import { listen, useMediaQuery, useNow, useStored } from "../platform/hooks.ts";
import { texts } from "../platform/texts.ts";
import type { GameServers } from "../servers/game-servers.ts";
import { titleOf } from "../servers/server-titles.ts";
import { QuietButton } from "../ui/quiet-button.tsx";
import { LineContent, SendState } from "./chat-line.tsx";
import { isOf, type Line } from "./chat-log.ts";
import { groupLines } from "./grouped-lines.ts";
import type { ChatControl } from "./use-chat.ts";

/** Backgrounds of the log, as in the style sheet. */
const LIGHT = "#fbfaf6";
const DARK = "#1b1e19";
/** Distance from the end of the log that still counts as its end, in pixels. */
const NEAR = 40;
/** Screen readers read out new lines from then on, not the history. */
const LIVE_AFTER_MS = 1_000;
/** The number of remaining characters is visible from here on. */
const WARN_LEFT = 80;

function Connection({ state, onRetry }: { state: ChatState; onRetry(): void }) {
  const now = useNow(500, state.is === "waiting");
  if (state.is !== "waiting") return <div class={`connection ${state.is}`}>{texts.chatState[state.is]}</div>;
  return (
    <div class="connection waiting">
      <span>{texts.chatWaiting(Math.max(0, Math.ceil((state.retryAt - now) / 1000)))}</span>
      <QuietButton onClick={onRetry}>{texts.retry}</QuietButton>
    </div>
  );
}

/** Chooses the game server whose chat is shown and written to, or all of them. */
const ServerChoice = ({
  servers,
  onlyServer,
  onServer,
}: Pick<Props, "servers" | "onlyServer" | "onServer">) => (
  <select
    class="chat-of"
    aria-label={texts.chatOf}
    value={onlyServer ?? ""}
    onChange={({ currentTarget }) => onServer(currentTarget.value || undefined)}
  >
    <option value="">{texts.allServers}</option>
    {servers.all.map(one => (
      <option key={one.name} value={one.name}>
        {titleOf(one)}
      </option>
    ))}
  </select>
);

interface MessageFormProps {
  data: ServiceSettings;
  chat: ChatControl;
  placeholder: string;
  /** the draft; it stays while there is no form */
  text: string;
  onText(text: string): void;
  /** why the last line was not sent */
  fault: string;
  onFault(fault: string): void;
}

function MessageForm({ data, chat, placeholder, text, onText, fault, onFault }: MessageFormProps) {
  const left = data.messageLength - text.length;
  const canSend = chat.canSend && left >= 0 && text.trim() !== "";
  const hint = left < 0 ? texts.tooLong(-left) : left < WARN_LEFT ? texts.left(left) : "";
  const send = (event: Event): void => {
    event.preventDefault();
    if (!canSend) return;
    const why = chat.send(text);
    onFault(why ?? "");
    if (why === undefined) onText("");
  };
  return (
    <form class="say" onSubmit={send}>
      <label class="sr" for="say">
        {texts.message}
      </label>
      <div class="row">
        <input
          id="say"
          value={text}
          placeholder={placeholder}
          autocomplete="off"
          enterkeyhint="send"
          aria-describedby="say-hint"
          aria-invalid={left < 0}
          onInput={event => {
            onText(event.currentTarget.value);
            onFault("");
          }}
        />
        <button type="submit" disabled={!canSend}>
          {texts.send}
        </button>
      </div>
      <p id="say-hint" class={`say-hint ${left < 0 || fault !== "" ? "fault" : "soft"}`} aria-live="polite">
        {fault || hint}
      </p>
    </form>
  );
}

interface Props {
  data: ServiceSettings;
  chat: ChatControl;
  servers: GameServers;
  onlyServer: string | undefined;
  onServer(name: string | undefined): void;
  isVisible: boolean;
}

export function ChatPanel({ data, chat, servers, onlyServer, onServer, isVisible }: Props) {
  const log = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const isDark = useMediaQuery("(prefers-color-scheme: dark)");
  const { setLooking } = chat;
  const [showsActivity, setShowsActivity] = useStored("chat-activity");
  const lines = useMemo(
    () =>
      groupLines(
        chat.lines.filter(
          line => !line.isHidden && (showsActivity || line.kind !== "activity") && isOf(line, onlyServer),
        ),
      ),
    [chat.lines, showsActivity, onlyServer],
  );
  const titles = new Map(servers.all.map(one => [one.name, titleOf(one)]));
  const serverTagOf = ({ server }: Line): string | undefined =>
    onlyServer === undefined && server !== undefined ? (titles.get(server) ?? server) : undefined;
  const onlyTitle = onlyServer === undefined ? undefined : titles.get(onlyServer);
  const toServers = onlyTitle === undefined ? texts.sayToAll : texts.sayTo(onlyTitle);
  const placeholder = servers.all.length === 0 ? texts.messageHint : toServers;
  const firstUnread = lines.find(({ id }) => chat.unreadFrom !== undefined && id >= chat.unreadFrom);
  const [isLive, setIsLive] = useState(false);
  const [text, setText] = useState("");
  const [fault, setFault] = useState("");
  const [today, days] = [day(Date.now()), lines.map(({ at }) => day(at))];

  useEffect(() => {
    if (!chat.hasHistory) return;
    const timer = setTimeout(() => setIsLive(true), LIVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [chat.hasHistory]);

  useEffect(() => {
    const update = (): void => setLooking(isVisible && isAtEnd.current);
    update();
    return listen(update);
  }, [isVisible, setLooking]);
  const follow = useCallback(() => {
    if (isAtEnd.current) log.current?.scrollTo({ top: log.current.scrollHeight });
  }, []);
  // Before the browser's scroll event, which would look like the reader's.
  useLayoutEffect(follow, [chat.lines, showsActivity, onlyServer, isVisible]);
  useEffect(() => {
    const sizes = new ResizeObserver(follow);
    if (log.current) sizes.observe(log.current);
    return () => sizes.disconnect();
  }, [follow]);

  const focusLog = (): void => log.current?.focus({ preventScroll: true });
  const hasForm = chat.mode === "everybody" || chat.mode === "linked";
  const isWriting = document.activeElement?.closest(".say") !== null;
  useEffect(() => {
    if (!hasForm && isWriting) focusLog();
  }, [hasForm]);
  const scrollToEnd = (): void => {
    log.current?.scrollTo({ top: log.current.scrollHeight });
    focusLog();
  };
  const resend = (id: number): void => {
    const why = chat.resend(id);
    setFault(why ?? "");
    if (why === undefined) focusLog();
  };
  const onScroll = (): void => {
    const { current } = log;
    if (!current || !isVisible) return;
    isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR;
    setLooking(isAtEnd.current);
  };
  return (
    <section class="chat-panel" aria-labelledby="chat-title">
      <div class="chat-head">
        <h2 id="chat-title">{texts.chat}</h2>
        {servers.all.length > 0 && (
          <ServerChoice servers={servers} onlyServer={onlyServer} onServer={onServer} />
        )}
        <label class="activity-shown">
          <input
            type="checkbox"
            checked={showsActivity}
            onChange={({ currentTarget }) => setShowsActivity(currentTarget.checked)}
          />
          {texts.activityShown}
        </label>
        {chat.mode !== "off" && <Connection state={chat.state} onRetry={chat.retryNow} />}
      </div>
      <div class="log-place">
        <div
          ref={log}
          class="log"
          role="log"
          aria-live={isLive ? "polite" : "off"}
          aria-label={texts.chatLog}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll the log
          tabIndex={0}
          onScroll={onScroll}
        >
          {lines.length === 0 ? (
            chat.hasHistory && <p class="soft">{texts.chatEmpty}</p>
          ) : (
            <ul>
              {lines.map((line, i) => (
                <li key={line.id} class={`${line.kind} ${line.sending ?? ""}`}>
                  <LineContent
                    line={line}
                    server={serverTagOf(line)}
                    background={isDark ? DARK : LIGHT}
                    isFirstUnread={line === firstUnread}
                    day={days[i] === (days[i - 1] ?? today) ? undefined : days[i]}
                    words={texts}
                  />
                  <SendState line={line} onRetry={() => resend(line.id)} />
                </li>
              ))}
            </ul>
          )}
        </div>
        {chat.unread > 0 && isVisible && (
          <button type="button" class="to-end" onClick={scrollToEnd}>
            {texts.newLines(chat.unread)}
          </button>
        )}
      </div>
      {chat.isByCommand && chat.mode !== "off" && <p class="say-mode">{texts.sayInGame}</p>}
      <div aria-live="polite">
        {chat.mode !== "everybody" && (chat.mode !== "linked" || chat.isLinked === false) && (
          <p class="say-mode">
            {texts.webChat[chat.mode]} {chat.mode === "linked" && <a href="#you">{texts.linkHere}</a>}
          </p>
        )}
      </div>
      {hasForm && (
        <MessageForm
          data={data}
          chat={chat}
          placeholder={placeholder}
          text={text}
          onText={setText}
          fault={fault}
          onFault={setFault}
        />
      )}
    </section>
  );
}
