import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ChatState } from "../../client/index.ts";
import type { ServiceSettings } from "../../client/types.ts";
import { day } from "../platform/format.ts";
import { useMediaQuery, useNow, useStored } from "../platform/hooks.ts";
import { texts } from "../platform/texts.ts";
import { type Servers, titleOf } from "../servers/servers.ts";
import { Says, Sending } from "./chat-line.tsx";
import { isOf, type Line } from "./chat-log.ts";
import type { ChatView } from "./use-chat.ts";

/** Backgrounds of the log, as in the style sheet. */
const LIGHT = "#fbfaf6";
const DARK = "#1b1e19";
/** Pixels from the end of the log that still count as its end. */
const NEAR = 40;
/** Screen readers are told of what comes from then on, not of all that had happened before. */
const LIVE_AFTER_MS = 1_000;
/** Characters that are left when the box begins to say how many. */
const WARN_LEFT = 80;

function Connection({ state, onRetry }: { state: ChatState; onRetry(): void }) {
  const now = useNow(500, state.is === "waiting");
  if (state.is === "waiting")
    return (
      <div class="connection waiting">
        <span>{texts.chatWaiting(Math.max(0, Math.ceil((state.retryAt - now) / 1000)))}</span>
        <button type="button" class="quiet" onClick={onRetry}>
          {texts.retry}
        </button>
      </div>
    );
  return <div class={`connection ${state.is}`}>{texts.chatState[state.is]}</div>;
}

interface BoxProps {
  data: ServiceSettings;
  chat: ChatView;
  hint: string;
  /** what is typed; it is kept while there is no box */
  text: string;
  onText(text: string): void;
  /** why the last line was not sent */
  fault: string;
  onFault(fault: string): void;
}

/** Which game servers are heard and spoken to. */
function Filter({ servers, only, onOnly }: Pick<PanelProps, "servers" | "only" | "onOnly">) {
  return (
    <select
      class="chat-of"
      aria-label={texts.chatOf}
      value={only ?? ""}
      onChange={({ currentTarget }) => onOnly(currentTarget.value || undefined)}
    >
      <option value="">{texts.allServers}</option>
      {servers.all.map(one => (
        <option key={one.name} value={one.name}>
          {titleOf(one)}
        </option>
      ))}
    </select>
  );
}

function Box({ data, chat, hint: placeholder, text, onText, fault, onFault }: BoxProps) {
  const left = data.messageLength - text.length;
  const isReady = chat.canSend && left >= 0 && text.trim() !== "";
  const hint = left < 0 ? texts.tooLong(-left) : left < WARN_LEFT ? texts.left(left) : "";
  const send = (event: Event): void => {
    event.preventDefault();
    if (!isReady) return;
    const why = chat.say(text);
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
        <button type="submit" disabled={!isReady}>
          {texts.send}
        </button>
      </div>
      <p id="say-hint" class={`say-hint ${left < 0 || fault !== "" ? "fault" : "soft"}`} aria-live="polite">
        {fault || hint}
      </p>
    </form>
  );
}

interface PanelProps {
  data: ServiceSettings;
  chat: ChatView;
  servers: Servers;
  /** name of the game server that alone is heard and spoken to */
  only: string | undefined;
  onOnly(name: string | undefined): void;
  isShown: boolean;
}

export function ChatPanel({ data, chat, servers, only, onOnly, isShown }: PanelProps) {
  const log = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const dark = useMediaQuery("(prefers-color-scheme: dark)");
  const { look } = chat;
  const [hasActivity, setHasActivity] = useStored("chat-activity");
  const lines = chat.lines.filter(
    line => !line.isHeld && (hasActivity || line.kind !== "activity") && isOf(line, only),
  );
  const titles = new Map(servers.all.map(one => [one.name, titleOf(one)]));
  const markOf = ({ server }: Line): string | undefined =>
    only === undefined && server !== undefined ? (titles.get(server) ?? server) : undefined;
  const spokenTo = only === undefined ? undefined : titles.get(only);
  const hint =
    servers.all.length === 0
      ? texts.messageHint
      : spokenTo === undefined
        ? texts.sayToAll
        : texts.sayTo(spokenTo);
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
    const note = (): void => look(isShown && atEnd.current);
    note();
    document.addEventListener("visibilitychange", note);
    return () => document.removeEventListener("visibilitychange", note);
  }, [isShown, look]);
  const follow = useCallback(() => {
    if (atEnd.current) log.current?.scrollTo({ top: log.current.scrollHeight });
  }, []);
  // Before the browser tells of the scrolling before: it would be taken for one of the reader's.
  useLayoutEffect(follow, [chat.lines, hasActivity, only, isShown]);
  useEffect(() => {
    const sizes = new ResizeObserver(follow);
    if (log.current) sizes.observe(log.current);
    return () => sizes.disconnect();
  }, [follow]);

  // Whoever was in what is then gone is in the log.
  const toLog = (): void => log.current?.focus({ preventScroll: true });
  const hasBox = chat.mode === "everybody" || chat.mode === "linked";
  const isWriting = document.activeElement?.closest(".say") !== null;
  useEffect(() => {
    if (!hasBox && isWriting) toLog();
  }, [hasBox]);
  const toEnd = (): void => {
    log.current?.scrollTo({ top: log.current.scrollHeight });
    toLog();
  };
  const again = (id: number): void => {
    const why = chat.sayAgain(id);
    setFault(why ?? "");
    if (why === undefined) toLog();
  };
  const scrolled = (): void => {
    const { current } = log;
    if (!current || !isShown) return;
    atEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR;
    look(atEnd.current);
  };
  return (
    <section class="chat-panel" aria-labelledby="chat-title">
      <div class="chat-head">
        <h2 id="chat-title">{texts.chat}</h2>
        {servers.all.length > 0 && <Filter servers={servers} only={only} onOnly={onOnly} />}
        <label class="activity-shown">
          <input
            type="checkbox"
            checked={hasActivity}
            onChange={({ currentTarget }) => setHasActivity(currentTarget.checked)}
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
          onScroll={scrolled}
        >
          {lines.length === 0 ? (
            chat.hasHistory && <p class="soft">{texts.chatEmpty}</p>
          ) : (
            <ul>
              {lines.map((line, i) => (
                <li key={line.id} class={`${line.kind} ${line.sending ?? ""}`}>
                  <Says
                    line={line}
                    server={markOf(line)}
                    background={dark ? DARK : LIGHT}
                    isFirstUnread={line === firstUnread}
                    day={days[i] === (days[i - 1] ?? today) ? undefined : days[i]}
                    words={texts}
                  />
                  <Sending line={line} onAgain={() => again(line.id)} />
                </li>
              ))}
            </ul>
          )}
        </div>
        {chat.unread > 0 && isShown && (
          <button type="button" class="to-end" onClick={toEnd}>
            {texts.newLines(chat.unread)}
          </button>
        )}
      </div>
      <div aria-live="polite">
        {chat.mode !== "everybody" && (chat.mode !== "linked" || chat.isLinked === false) && (
          <p class="say-mode">
            {texts.webChat[chat.mode]} {chat.mode === "linked" && <a href="#you">{texts.linkHere}</a>}
          </p>
        )}
      </div>
      {hasBox && (
        <Box
          data={data}
          chat={chat}
          hint={hint}
          text={text}
          onText={setText}
          fault={fault}
          onFault={setFault}
        />
      )}
    </section>
  );
}
