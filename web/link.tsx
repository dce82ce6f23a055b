import { useEffect, useRef, useState } from "preact/hooks";
import type { LinkStatus } from "../client/index.ts";
import type { ServiceSettings } from "../client/types.ts";
import * as format from "./format.ts";
import type { Game } from "./game.ts";
import { useNow } from "./hooks.ts";
import type { LinkState } from "./link-state.ts";
import { OfflineNotice } from "./offline-notice.tsx";
import { explain, texts } from "./texts.ts";
import { useLink } from "./use-link.ts";

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
  link: Extract<LinkState, { is: "pending" }>;
  verificationMs: number;
  isAway: boolean;
}

function Pending({ link: { request, code }, verificationMs, isAway }: PendingProps) {
  const now = useNow(250);
  const left = request && request.until > now ? request.until - now : undefined;
  return (
    <div class="pending">
      <p>{isAway ? texts.pendingAway : request ? texts.pendingFor(request.name) : texts.pendingUnknown}</p>
      <p>
        {texts.pendingCode} <code>{code}</code>
      </p>
      {left === undefined ? (
        <p class="soft">{texts.timeUnknown(format.countdown(verificationMs))}</p>
      ) : (
        <p class="countdown" role="timer" aria-live="off">
          <progress aria-label={texts.timeLeft(format.countdown(left))} value={left} max={verificationMs} />
          {texts.timeLeft(format.countdown(left))}
        </p>
      )}
    </div>
  );
}

/** Why the last call failed, else why the link cannot be read at the moment. */
function problemOf(link: LinkState): string {
  const fault = "call" in link && link.call.is === "failed" ? link.call.fault : link.readFault;
  return fault ? explain(fault.code, fault.retryAfter, fault.subject) : "";
}

export function Link({
  data: { verificationMs },
  game,
  onNewSession,
}: {
  data: ServiceSettings;
  game: Game;
  onNewSession(): void;
}) {
  const { state: link, ask, unlink, startReplacing } = useLink(verificationMs, onNewSession);
  const [name, setName] = useState("");
  const box = useRef<HTMLInputElement>(null);
  const isReplacing = link.is === "accepted" && link.isReplacing;
  const isBusy = "call" in link && link.call.is === "running";
  const hasForm = link.is === "not_linked" || link.is === "declined" || isReplacing;
  // Whoever asked for the form goes on typing.
  useEffect(() => {
    if (isReplacing) box.current?.focus();
  }, [isReplacing]);
  return (
    <section class="narrow" aria-labelledby="you-title">
      <h2 id="you-title">{texts.you}</h2>
      <p>{texts.linkIntro}</p>
      <OfflineNotice game={game} />
      {link.is === "loading" ? <p class="soft">{texts.loading}</p> : <Steps status={link.is} />}
      {link.is === "pending" && (
        <Pending link={link} verificationMs={verificationMs} isAway={game.is === "away"} />
      )}
      {link.is === "declined" && <p>{texts.declinedText}</p>}
      {link.is === "accepted" && (
        <div class="linked">
          <p>{link.player === undefined ? texts.acceptedOffline : texts.acceptedAs(link.player)}</p>
          <div class="row">
            <button type="button" class="quiet" disabled={isBusy} onClick={unlink}>
              {texts.unlink}
            </button>
            {!isReplacing && (
              <button
                type="button"
                class="quiet"
                disabled={isBusy}
                onClick={() => {
                  setName("");
                  startReplacing();
                }}
              >
                {texts.other}
              </button>
            )}
          </div>
          {isReplacing && <p class="soft">{texts.otherHint}</p>}
        </div>
      )}
      {hasForm && (
        <form
          noValidate
          onSubmit={event => {
            event.preventDefault();
            void ask(name);
          }}
        >
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
            <button type="submit" disabled={isBusy}>
              {isBusy ? texts.asking : link.is === "declined" ? texts.again : texts.link}
            </button>
          </div>
          <p id="player-hint" class="soft">
            {texts.nameHint}
          </p>
        </form>
      )}
      <p id="player-fault" class="fault" role="alert">
        {problemOf(link)}
      </p>
    </section>
  );
}
