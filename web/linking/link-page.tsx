import { useEffect, useRef, useState } from "preact/hooks";
import type { LinkStatus } from "../../client/index.ts";
import type { ServiceSettings, WebChatMode } from "../../client/types.ts";
import { explain, texts } from "../platform/texts.ts";
import type { Seen } from "../servers/game-server.ts";
import { OfflineNotice } from "../servers/offline-notice.tsx";
import type { Session } from "../service/session.ts";
import { Sites } from "./connected-sites.tsx";
import { LinkForm } from "./link-form.tsx";
import type { Fault, LinkState } from "./link-state.ts";
import { Pending } from "./pending-request.tsx";
import { PlayerCard } from "./player-card.tsx";
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

/** Why the last call failed, else why the link cannot be read at the moment. */
const faultOf = (link: LinkState): Fault | undefined =>
  "call" in link && link.call.is === "failed" ? link.call.fault : link.readFault;

export function Link({
  data: { verificationMs },
  mode,
  game,
  session,
  onNewSession,
  onLink,
}: {
  data: ServiceSettings;
  /** who may write into the chat */
  mode: WebChatMode;
  /** wherever a player may be */
  game: Seen;
  session: Session;
  onNewSession(): void;
  /** Called when the link has begun or ended. */
  onLink(): void;
}) {
  const { state: link, ...control } = useLink(verificationMs, session, onNewSession);
  const { linked, alike, ask, unlink, startReplacing } = control;
  const [name, setName] = useState("");
  const box = useRef<HTMLInputElement>(null);
  const status = useRef<HTMLDivElement>(null);
  const isReplacing = link.is === "accepted" && link.isReplacing;
  const isBusy = "call" in link && link.call.is === "running";
  const hasForm = link.is === "not_linked" || link.is === "declined" || isReplacing;
  const fault = faultOf(link);
  const problem = fault ? explain(fault.code, fault.retryAfter, fault.subject) : "";
  // Whoever asked for the form goes on typing.
  useEffect(() => {
    if (isReplacing) box.current?.focus();
  }, [isReplacing]);
  // What had the focus may be gone with the state that it was in.
  const before = useRef(link.is);
  useEffect(() => {
    const isFirst = before.current === "loading";
    if (!isFirst && (link.is === "accepted") !== (before.current === "accepted")) onLink();
    before.current = link.is;
    if (isFirst || document.activeElement !== document.body) return;
    if (link.is === "not_linked") box.current?.focus();
    else status.current?.focus();
  }, [link.is, onLink]);
  return (
    <section class="narrow" aria-labelledby="you-title">
      <h2 id="you-title">{texts.you}</h2>
      {link.is !== "accepted" && <p>{texts.linkIntro}</p>}
      <div ref={status} class="link-status" tabIndex={-1}>
        {link.is === "loading" ? <p class="soft">{texts.loading}</p> : <Steps status={link.is} />}
        {link.is === "pending" && (
          <Pending
            name={link.request?.name}
            until={link.request?.until}
            code={link.code}
            verificationMs={verificationMs}
            isAway={game.is === "away"}
          />
        )}
        {link.is === "declined" &&
          (alike === undefined ? <p>{texts.declinedText}</p> : <p class="fault">{texts.sameCode(alike)}</p>)}
        {link.is === "accepted" && (
          <PlayerCard player={link.player} linked={linked} mayWrite={mode === "linked"} />
        )}
      </div>
      {link.is === "accepted" && (
        <div class="row">
          <button type="button" class="quiet" aria-disabled={isBusy} onClick={() => isBusy || unlink()}>
            {texts.unlink}
          </button>
          {!isReplacing && (
            <button
              type="button"
              class="quiet"
              aria-disabled={isBusy}
              onClick={() => {
                setName("");
                startReplacing();
              }}
            >
              {texts.other}
            </button>
          )}
        </div>
      )}
      {isReplacing && <p class="soft">{texts.otherHint}</p>}
      {hasForm ? (
        <LinkForm
          name={name}
          players={game.is === "online" ? game.players : []}
          unknown={fault?.code === "player_offline" ? fault.subject : undefined}
          problem={problem}
          isBusy={isBusy}
          isAgain={link.is === "declined"}
          box={box}
          onName={setName}
          onAsk={one => {
            if (isBusy) return;
            setName(one);
            void ask(one);
          }}
        />
      ) : (
        <p class="fault" role="alert">
          {problem}
        </p>
      )}
      {link.is === "accepted" && <Sites />}
      {link.is !== "loading" && <OfflineNotice game={game} />}
    </section>
  );
}
