import type { ComponentChildren, Ref } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { DeclinedReason } from "../linking/declined-reason.tsx";
import { LinkForm } from "../linking/link-form.tsx";
import { PendingRequest } from "../linking/pending-request.tsx";
import { isFocusLost, useChange, useLookedAt } from "../platform/hooks.ts";
import { explain, type Fault, texts } from "../platform/texts.ts";
import { PlayerHead } from "../players/player-head.tsx";
import type { GamePresence } from "../servers/game-state.ts";
import { OfflineNotice } from "../servers/offline-notice.tsx";
import { Alert } from "../ui/alert.tsx";
import { Announcer } from "../ui/announce.tsx";
import { LanguageChoice } from "../ui/language-choice.tsx";
import { QuietButton } from "../ui/quiet-button.tsx";
import type { PageProps } from "../ui/start.tsx";
import { Title } from "../ui/title.tsx";
import { useOnlinePlayers } from "./use-online-players.ts";
import { type SignIn, useSignIn } from "./use-sign-in.ts";

interface FrameProps extends PageProps {
  main: Ref<HTMLElement>;
  children: ComponentChildren;
}

/** Header and footer around every state of a sign-in. */
const Frame = ({ data, language, onLanguage, main, children }: FrameProps) => (
  <>
    <div class="screen">
      <header>
        <Title {...data} />
      </header>
      <main ref={main} id="content" class="sign-in" tabIndex={-1}>
        {children}
      </main>
    </div>
    <footer>
      <LanguageChoice language={language} onLanguage={onLanguage} />
    </footer>
    <Announcer />
  </>
);

/** The start of the fault of a sign-in that has expired, or was started in another browser. */
const NOT_FOUND = "not_found";

/** A sign-in that cannot continue; `fault`: what the site's developer has to fix, unless it has expired. */
export const FaultPage = ({ fault, ...props }: PageProps & { fault: string }) => (
  <Frame {...props} main={null}>
    {fault.startsWith(NOT_FOUND) ? (
      <p>{texts.signIn.over}</p>
    ) : (
      <>
        <p>{texts.signIn.cannot}</p>
        <p>
          <code>{fault}</code>
        </p>
      </>
    )}
  </Frame>
);

/** The page on which a player signs in to another site. */
export function SignInPage(props: PageProps) {
  const { data, language } = props;
  const game = useOnlinePlayers(data);
  const { signIn, fault, isBusy, requestPlayer, confirm, cancel, changeName } = useSignIn();
  const site = signIn.is === "open" ? signIn.state.site.name : undefined;
  const main = useRef<HTMLElement>(null);
  const status = signIn.is === "open" ? signIn.state.status : signIn.is;

  useEffect(() => {
    document.title = site === undefined ? data.title : `${texts.signIn.title(site)} – ${data.title}`;
  }, [site, data.title, language]);
  useChange(status, before => {
    if (before !== "loading" && isFocusLost()) main.current?.focus();
  });

  return (
    <Frame {...props} main={main}>
      <Heading signIn={signIn} />
      {signIn.is === "loading" && <Alert text={explain(fault)} />}
      {signIn.is === "open" && (
        <>
          <PlayerStep
            {...signIn}
            verificationMs={data.verificationMs}
            game={game}
            fault={fault}
            isBusy={isBusy}
            onName={changeName}
            onRequest={name => void requestPlayer(name)}
            onConfirm={uuid => void confirm(uuid)}
          />
          <p class="cancel">
            <QuietButton busy={isBusy} onClick={() => void cancel()}>
              {texts.cancel}
            </QuietButton>
          </p>
          <OfflineNotice game={game} />
        </>
      )}
    </Frame>
  );
}

/** What the sign-in is about, or how it has ended. */
function Heading({ signIn }: { signIn: SignIn }) {
  switch (signIn.is) {
    case "loading":
      return <p class="soft">{texts.loading}</p>;
    case "gone":
      return <p>{texts.signIn.over}</p>;
    case "leaving":
      return <p>{texts.signIn.goingOn(signIn.site)}</p>;
    case "open": {
      const { site, withName, player } = signIn.state;
      return (
        <>
          <h2>
            {texts.signIn.title(site.name)} <bdi class="host">{site.host}</bdi>
          </h2>
          <p>
            {texts.signIn.asks(site.name)} {withName ? texts.signIn.learnsName : texts.signIn.learnsId}
          </p>
          {player === null && <p>{texts.signIn.links}</p>}
        </>
      );
    }
    default:
      return signIn satisfies never;
  }
}

interface PlayerStepProps extends Extract<SignIn, { is: "open" }> {
  verificationMs: number;
  game: GamePresence;
  fault: Fault | undefined;
  isBusy: boolean;
  onName(): void;
  onRequest(name: string): void;
  onConfirm(uuid: string): void;
}

/** The player to continue as, the pending request, or the form for a request. */
function PlayerStep({ state, until, code, verificationMs, game, fault, isBusy, ...on }: PlayerStepProps) {
  const [name, setName] = useState("");
  /** the form is open beside a linked player */
  const [isOther, setIsOther] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isOther) box.current?.focus();
  }, [isOther]);
  const { player, status, asked, reason } = state;
  const isLinked = player !== null && status !== "waiting";
  const hasForm = status !== "waiting" && (player === null || isOther);
  return (
    <>
      {status === "waiting" && (
        <PendingRequest
          name={asked ?? undefined}
          until={until}
          code={code}
          verificationMs={verificationMs}
          isAway={game.is === "away"}
        />
      )}
      {status === "declined" && <DeclinedReason reason={reason} code={code} />}
      {isLinked && (
        <div class="row">
          <ContinueButton {...player} isBusy={isBusy} onConfirm={on.onConfirm} />
          {!isOther && (
            <QuietButton busy={isBusy} onClick={() => setIsOther(true)}>
              {texts.other}
            </QuietButton>
          )}
        </div>
      )}
      {hasForm && <p class="soft">{isLinked ? texts.otherHint : texts.signIn.willAsk}</p>}
      {hasForm ? (
        <LinkForm
          name={name}
          game={game}
          fault={fault}
          isBusy={isBusy}
          linkedName={player?.name}
          box={box}
          onName={one => {
            setName(one);
            on.onName();
          }}
          onRequest={on.onRequest}
        />
      ) : (
        <Alert text={explain(fault)} />
      )}
    </>
  );
}

/**
 * How long the button that confirms has to have been visible, in milliseconds: a double click on something that covered it until
 * the first click confirms nothing.
 */
const LOOK_MS = 500;

interface ContinueProps {
  uuid: string;
  name: string;
  isBusy: boolean;
  onConfirm(uuid: string): void;
}

function ContinueButton({ uuid, name, isBusy, onConfirm }: ContinueProps) {
  const isOff = !useLookedAt(LOOK_MS) || isBusy;
  return (
    <button type="button" class="offer" aria-disabled={isOff} onClick={() => isOff || onConfirm(uuid)}>
      <PlayerHead uuid={uuid} />
      {texts.signIn.goOn(name)}
    </button>
  );
}
