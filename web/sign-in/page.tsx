import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { ServiceSettings, SignInEnd, SignInState } from "../../client/types.ts";
import * as format from "../format.ts";
import { Head } from "../head.tsx";
import { usePolling } from "../hooks.ts";
import { explain, texts } from "../texts.ts";
import { type Answered, askPlayer, cancel, endSilently, goOnAs, readState } from "./calls.ts";

/** How often is asked where the sign-in stands, in milliseconds. */
const ASK_MS = 1_000;

interface Props {
  data: ServiceSettings;
  /** first characters of the session, which the form in the game shows */
  code: string;
}

export function SignInPage({ data: { title, logo }, code }: Props) {
  const [state, setState] = useState<SignInState>();
  const [problem, setProblem] = useState("");
  const [name, setName] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [isOver, setIsOver] = useState(false);
  const [isOther, setIsOther] = useState(false);
  const isLeaving = useRef(false);

  /** Says what went wrong; a sign-in that is not there any more is over. */
  const fail = useCallback(
    (answer: { code: Parameters<typeof explain>[0]; retryAfter?: number }, subject = "") => {
      if (answer.code === "not_found") setIsOver(true);
      else setProblem(explain(answer.code, answer.retryAfter, subject));
    },
    [],
  );

  /** Goes to where the site hears what came of it, unless it is on its way there already. */
  const leave = useCallback(
    async (end: () => Promise<Answered<SignInEnd>>) => {
      if (isLeaving.current) return;
      isLeaving.current = true;
      setIsBusy(true);
      const answer = await end();
      if ("value" in answer) return location.replace(answer.value.location);
      isLeaving.current = false;
      setIsBusy(false);
      fail(answer);
    },
    [fail],
  );

  const read = useCallback(async () => {
    if (isLeaving.current) return;
    const answer = await readState();
    if ("code" in answer) return fail(answer);
    setState(answer.value);
    const { silent, status, player } = answer.value;
    if (silent) await leave(endSilently);
    else if (status === "accepted" && player) await leave(() => goOnAs(player.uuid));
  }, [fail, leave]);
  usePolling(ASK_MS, read, !isOver);

  async function ask(): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    setProblem("");
    const answer = await askPlayer(name);
    setIsBusy(false);
    if ("code" in answer) fail(answer, name);
    await read();
  }

  const site = state?.site.name ?? "";
  useEffect(() => {
    if (site !== "") document.title = `${texts.signInAt(site)} – ${title}`;
  }, [site, title]);

  return (
    <>
      <header>
        <h1>
          {logo !== undefined && (
            <span class="logo">
              <img src={`../../${logo}`} alt="" />
            </span>
          )}
          <span>{title}</span>
        </h1>
      </header>
      <main class="narrow">
        {isOver ? (
          <p role="alert">{texts.signIn.over}</p>
        ) : !state || state.silent ? (
          <p class="soft">{texts.loading}</p>
        ) : (
          <Asked
            state={state}
            code={code}
            isOther={isOther}
            isBusy={isBusy}
            onOther={() => setIsOther(true)}
            onGoOn={uuid => void leave(() => goOnAs(uuid))}
          >
            <form
              noValidate
              onSubmit={event => {
                event.preventDefault();
                void ask();
              }}
            >
              <label for="player">{texts.playerName}</label>
              <div class="row">
                <input
                  id="player"
                  value={name}
                  maxLength={64}
                  autocomplete="off"
                  autocapitalize="none"
                  spellcheck={false}
                  aria-describedby="player-hint player-fault"
                  onInput={event => setName(event.currentTarget.value)}
                />
                <button type="submit" aria-disabled={isBusy}>
                  {isBusy ? texts.asking : state.status === "declined" ? texts.again : texts.signIn.ask}
                </button>
              </div>
              <p id="player-hint" class="soft">
                {texts.nameHint}
              </p>
            </form>
          </Asked>
        )}
        <p id="player-fault" class="fault" role="alert">
          {problem}
        </p>
        {!isOver && state && !state.silent && (
          <button type="button" class="quiet" aria-disabled={isBusy} onClick={() => void leave(cancel)}>
            {texts.signIn.cancel}
          </button>
        )}
      </main>
    </>
  );
}

interface AskedProps {
  state: SignInState;
  code: string;
  isOther: boolean;
  isBusy: boolean;
  onOther(): void;
  onGoOn(uuid: string): void;
  children: ComponentChildren;
}

/** What is asked, of whom, and what may be done about it. */
function Asked({ state, code, isOther, isBusy, onOther, onGoOn, children }: AskedProps) {
  const { site, status, player, asked, leftMs, withName } = state;
  return (
    <>
      <h2>{texts.signInAt(site.name)}</h2>
      <p>{texts.siteAsks(site.name)}</p>
      <p class="soft">{withName ? texts.signIn.learnsName : texts.signIn.learnsId}</p>
      {status === "waiting" ? (
        <div class="pending">
          <p>{texts.pendingFor(asked ?? "")}</p>
          <p>
            {texts.pendingCode} <code>{code}</code>
          </p>
          {leftMs !== null && (
            <p class="countdown" role="timer" aria-live="off">
              {texts.timeLeft(format.countdown(leftMs))}
            </p>
          )}
        </div>
      ) : player && !isOther ? (
        <div class="row">
          <button type="button" aria-disabled={isBusy} onClick={() => isBusy || onGoOn(player.uuid)}>
            <Head uuid={player.uuid} />
            <bdi>{texts.goOnAs(player.name)}</bdi>
          </button>
          <button type="button" class="quiet" onClick={onOther}>
            {texts.other}
          </button>
        </div>
      ) : (
        <>
          {status === "declined" && <p>{texts.declinedText}</p>}
          <p>{texts.signIn.willAsk}</p>
          {children}
        </>
      )}
    </>
  );
}
