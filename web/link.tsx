import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { LinkedPlayerResponse, LinkStatus } from "../client/index.ts";
import { Absence } from "./absence.tsx";
import { announce } from "./announce.tsx";
import * as format from "./format.ts";
import type { Game } from "./game.ts";
import { useNow, usePolling } from "./hooks.ts";
import { type ConsoleData, client } from "./service.ts";
import { explain, texts } from "./texts.ts";

/** The open request, kept for the other tabs and for a page that is loaded again. */
interface Asked {
  name: string;
  until: number;
}
const ASKED = "link-request";

function readAsked(): Asked | undefined {
  try {
    const { name, until } = JSON.parse(localStorage.getItem(ASKED) ?? "");
    return typeof name === "string" && typeof until === "number" ? { name, until } : undefined;
  } catch {
    return undefined;
  }
}

function writeAsked(asked: Asked): void {
  try {
    localStorage.setItem(ASKED, JSON.stringify(asked));
  } catch {
    // Without storage only this tab counts down.
  }
}

const STEPS: LinkStatus[] = ["not_linked", "pending", "accepted"];

/** The states of a link, with the one that it is in. */
function Steps({ status }: { status: LinkStatus }) {
  const shown = STEPS.map(step => (step === "accepted" && status === "declined" ? "declined" : step));
  return (
    <ol class="steps" aria-label={texts.stateList}>
      {shown.map(step => (
        <li key={step} class={step} {...(step === status ? { "aria-current": "step" as const } : {})}>
          {texts.states[step]}
        </li>
      ))}
    </ol>
  );
}

interface PendingProps {
  asked: Asked | undefined;
  code: string;
  data: ConsoleData;
  isAway: boolean;
}

function Pending({ asked, code, data, isAway }: PendingProps) {
  const now = useNow(250);
  const left = asked && asked.until > now ? asked.until - now : undefined;
  return (
    <div class="pending">
      <p>{isAway ? texts.pendingAway : asked ? texts.pendingFor(asked.name) : texts.pendingUnknown}</p>
      <p>
        {texts.pendingCode} <code>{code}</code>
      </p>
      {left === undefined ? (
        <p class="soft">{texts.timeUnknown(format.countdown(data.verificationMs))}</p>
      ) : (
        <p class="countdown" role="timer" aria-live="off">
          <progress
            aria-label={texts.timeLeft(format.countdown(left))}
            value={left}
            max={data.verificationMs}
          />
          {texts.timeLeft(format.countdown(left))}
        </p>
      )}
    </div>
  );
}

interface Props {
  data: ConsoleData;
  game: Game;
}

export function Link({ data, game }: Props) {
  const [link, setLink] = useState<LinkedPlayerResponse | undefined>(undefined);
  const [code, setCode] = useState("");
  const [asked, setAsked] = useState(readAsked);
  const [name, setName] = useState("");
  /** why the last call failed, and why the link cannot be read at the moment */
  const [fault, setFault] = useState("");
  const [unread, setUnread] = useState("");
  const [busy, setBusy] = useState(false);
  const [wantsOther, setWantsOther] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const before = useRef<LinkStatus | undefined>(undefined);

  const hasSession = useRef(false);

  /** Makes the session, or finds the one that is there. */
  const begin = useCallback(async () => {
    const session = await client.initialize();
    hasSession.current = session.ok;
    if (session.ok) setCode(session.value.userId.slice(0, 8));
    return session;
  }, []);
  const read = useCallback(async () => {
    const begun = hasSession.current ? undefined : await begin();
    let answer = begun?.ok === false ? begun : await client.linkedPlayer();
    // It may have been lost since, with the cookies of the browser.
    if (!answer.ok && answer.code === "missing_session" && (await begin()).ok)
      answer = await client.linkedPlayer();
    if (!answer.ok) {
      setUnread(explain(answer.code, answer.retryAfter));
      return;
    }
    setUnread("");
    const { status } = answer.value;
    if (before.current === "pending" && status === "accepted") announce(texts.linkedNow);
    if (before.current === "pending" && status === "declined") announce(texts.declinedNow);
    if (before.current !== undefined && before.current !== status) setFault("");
    before.current = status;
    setLink(answer.value);
  }, [begin]);
  usePolling(link?.status === "pending" ? 1_000 : 5_000, read);
  useEffect(() => {
    const heard = (event: StorageEvent): void => {
      if (event.key !== ASKED) return;
      setAsked(readAsked());
      void read();
    };
    addEventListener("storage", heard);
    return () => removeEventListener("storage", heard);
  }, [read]);

  /** Carries out one call at a time and says what went wrong. */
  async function act(call: () => ReturnType<typeof client.linkPlayer | typeof client.unlinkPlayer>) {
    setBusy(true);
    setFault("");
    const answer = await call();
    setBusy(false);
    if (!answer.ok) setFault(explain(answer.code, answer.retryAfter, name));
    await read();
    return answer.ok;
  }

  async function ask(event: Event): Promise<void> {
    event.preventDefault();
    if (name.trim() === "") {
      setFault(texts.nameMissing);
      return;
    }
    await begin();
    const next = { name, until: Date.now() + data.verificationMs };
    if (!(await act(() => client.linkPlayer(name)))) return;
    setWantsOther(false);
    setAsked(next);
    writeAsked(next);
  }

  /** Opens the form while a link is there; whoever asked for it goes on typing. */
  function other(): void {
    setName("");
    setWantsOther(true);
  }
  useEffect(() => {
    if (wantsOther) box.current?.focus();
  }, [wantsOther]);

  async function unlink(): Promise<void> {
    if (!(await act(() => client.unlinkPlayer()))) return;
    setWantsOther(false);
    announce(texts.unlinked);
  }

  const status = link?.status;
  const form = (
    <form onSubmit={ask} noValidate>
      <label for="player">{texts.playerName}</label>
      <div class="row">
        <input
          ref={box}
          id="player"
          value={name}
          maxLength={64}
          autocomplete="off"
          spellcheck={false}
          aria-describedby="player-hint player-fault"
          onInput={event => setName(event.currentTarget.value)}
        />
        <button type="submit" disabled={busy}>
          {busy ? texts.asking : status === "declined" ? texts.again : texts.link}
        </button>
      </div>
      <p id="player-hint" class="soft">
        {texts.nameHint}
      </p>
    </form>
  );
  return (
    <section class="narrow" aria-labelledby="you-title">
      <h2 id="you-title">{texts.you}</h2>
      <p>{texts.linkIntro}</p>
      <Absence game={game} />
      {status === undefined ? <p class="soft">{texts.loading}</p> : <Steps status={status} />}
      {status === "pending" && <Pending asked={asked} code={code} data={data} isAway={game.is === "away"} />}
      {status === "declined" && <p>{texts.declinedText}</p>}
      {status === "accepted" && (
        <div class="linked">
          <p>{link?.playerData ? texts.acceptedAs(link.playerData.name) : texts.acceptedOffline}</p>
          <div class="row">
            <button type="button" class="quiet" disabled={busy} onClick={unlink}>
              {texts.unlink}
            </button>
            {!wantsOther && (
              <button type="button" class="quiet" disabled={busy} onClick={other}>
                {texts.other}
              </button>
            )}
          </div>
          {wantsOther && <p class="soft">{texts.otherHint}</p>}
        </div>
      )}
      {(status === "not_linked" || status === "declined" || (status === "accepted" && wantsOther)) && form}
      <p id="player-fault" class="fault" role="alert">
        {fault || unread}
      </p>
    </section>
  );
}
