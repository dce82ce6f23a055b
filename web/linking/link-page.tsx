import { useEffect, useRef, useState } from "preact/hooks";
import type { LinkStatus, ServiceSettings, WebChatMode } from "../../client/index.ts";
import { isFocusLost, useChange } from "../platform/hooks.ts";
import { explain, type Fault, texts } from "../platform/texts.ts";
import type { GamePresence } from "../servers/game-state.ts";
import { OfflineNotice } from "../servers/offline-notice.tsx";
import type { Session } from "../service/session.ts";
import { Alert } from "../ui/alert.tsx";
import { QuietButton } from "../ui/quiet-button.tsx";
import { ConnectedSites } from "./connected-sites.tsx";
import { DeclinedReason } from "./declined-reason.tsx";
import { LinkForm } from "./link-form.tsx";
import type { LinkState } from "./link-state.ts";
import { PendingRequest } from "./pending-request.tsx";
import { PlayerCard } from "./player-card.tsx";
import { useLink } from "./use-link.ts";

const STEPS: LinkStatus[] = ["not_linked", "pending", "accepted"];

/** The states of a link, with the current one marked. */
function Steps({ status, isTimedOut }: { status: LinkStatus; isTimedOut: boolean }) {
  const steps = STEPS.map(step => (step === "accepted" && status === "declined" ? "declined" : step));
  const labelOf = (step: LinkStatus): string =>
    texts.states[step === "declined" && isTimedOut ? "timed_out" : step];
  return (
    <ol class="steps" aria-label={texts.stateList}>
      {steps.map(step => (
        <li key={step} class={step} aria-current={step === status ? "step" : undefined}>
          {labelOf(step)}
        </li>
      ))}
    </ol>
  );
}

/** Why the last call failed, else why the link cannot be read at the moment. */
const faultOf = (link: LinkState): Fault | undefined =>
  "call" in link && link.call.is === "failed" ? link.call.fault : link.readFault;

interface Props {
  data: ServiceSettings;
  /** who may write in the chat */
  mode: WebChatMode;
  /** on any game server */
  game: GamePresence;
  session: Session;
  onNewSession(): void;
  /** Called when the link has begun or ended. */
  onLink(): void;
}

export function LinkPage({ data: { verificationMs }, mode, game, session, onNewSession, onLink }: Props) {
  const { state: link, ...control } = useLink(verificationMs, session, onNewSession);
  const { linked, request, cancel, unlink, startReplacing, changeName } = control;
  const [name, setName] = useState("");
  const box = useRef<HTMLInputElement>(null);
  const status = useRef<HTMLDivElement>(null);
  const isReplacing = link.is === "accepted" && link.isReplacing;
  const isBusy = "call" in link && link.call.is === "running";
  const hasForm = link.is === "not_linked" || link.is === "declined" || isReplacing;
  const fault = faultOf(link);
  useEffect(() => {
    if (isReplacing) box.current?.focus();
  }, [isReplacing]);
  useChange(link.is, before => {
    if (before === "loading") return;
    if ((link.is === "accepted") !== (before === "accepted")) onLink();
    if (isFocusLost()) (link.is === "not_linked" ? box : status).current?.focus();
  });
  return (
    <section class="narrow" aria-labelledby="you-title">
      <h2 id="you-title">{texts.you}</h2>
      <div ref={status} class="link-status" tabIndex={-1}>
        {link.is === "loading" ? (
          <p class="soft">{texts.loading}</p>
        ) : (
          <Steps status={link.is} isTimedOut={link.is === "declined" && link.reason === "timed_out"} />
        )}
        {link.is === "pending" && (
          <PendingRequest
            name={link.request?.name}
            until={link.request?.until}
            code={link.code}
            verificationMs={verificationMs}
            isAway={game.is === "away"}
          />
        )}
        {link.is === "declined" && <DeclinedReason {...link} />}
        {link.is === "accepted" && (
          <PlayerCard player={link.player} linked={linked} mayWrite={mode === "linked"} />
        )}
      </div>
      {link.is === "pending" && (
        <div class="row">
          <QuietButton busy={isBusy} onClick={() => void cancel()}>
            {texts.cancelRequest}
          </QuietButton>
        </div>
      )}
      {link.is === "accepted" && (
        <div class="row">
          <QuietButton busy={isBusy} onClick={() => void unlink()}>
            {texts.unlink}
          </QuietButton>
          {!isReplacing && (
            <QuietButton
              busy={isBusy}
              onClick={() => {
                setName("");
                startReplacing();
              }}
            >
              {texts.other}
            </QuietButton>
          )}
        </div>
      )}
      {/* Below the state, which it would move when it comes or goes. */}
      {(link.is === "not_linked" || link.is === "declined") && <p>{texts.linkIntro}</p>}
      {isReplacing && <p class="soft">{texts.otherHint}</p>}
      {hasForm ? (
        <LinkForm
          name={name}
          game={game}
          fault={fault}
          isBusy={isBusy}
          linkedName={isReplacing ? linked?.player?.name : undefined}
          box={box}
          onName={one => {
            setName(one);
            changeName();
          }}
          onRequest={one => void request(one)}
        />
      ) : (
        <Alert text={explain(fault)} />
      )}
      {link.is === "accepted" && <ConnectedSites />}
      {link.is !== "loading" && <OfflineNotice game={game} />}
    </section>
  );
}
