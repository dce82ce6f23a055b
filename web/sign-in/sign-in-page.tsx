import type { ComponentChildren, Ref } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { SignInState } from "../../client/types.ts";
import { LinkForm } from "../linking/link-form.tsx";
import { Pending } from "../linking/pending-request.tsx";
import { useLookedAt } from "../platform/hooks.ts";
import { explain, texts } from "../platform/texts.ts";
import { Head } from "../players/player-head.tsx";
import type { Seen } from "../servers/game-server.ts";
import { OfflineNotice } from "../servers/offline-notice.tsx";
import { Announcer } from "../ui/announce.tsx";
import { LanguageChoice } from "../ui/language-choice.tsx";
import type { Shown } from "../ui/start.tsx";
import { Title } from "../ui/title.tsx";
import { useOnline } from "./use-online-players.ts";
import { type SignIn, useSignIn } from "./use-sign-in.ts";

/** Whatever is said of a sign-in, in its frame. */
function Frame({ data, language, onLanguage, main, children }: FrameProps) {
  return (
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
}

interface FrameProps extends Shown {
  main: Ref<HTMLElement>;
  children: ComponentChildren;
}

/** A sign-in that its site has begun in a way in which it cannot go on; `fault`: what to tell whoever runs the site. */
export const FaultPage = ({ fault, ...shown }: Shown & { fault: string }) => (
  <Frame {...shown} main={null}>
    <p>{texts.signIn.cannot}</p>
    <p>
      <code>{fault}</code>
    </p>
  </Frame>
);

/** The page of a sign-in to another site. */
export function SignInPage(shown: Shown) {
  const { data, language } = shown;
  const game = useOnline(data);
  const { signIn, fault, isBusy, askPlayer, goOn, cancel } = useSignIn();
  const site = signIn.is === "open" ? signIn.state.site.name : undefined;
  const problem = fault ? explain(fault.code, fault.retryAfter, fault.subject) : "";
  const main = useRef<HTMLElement>(null);
  const status = signIn.is === "open" ? signIn.state.status : signIn.is;

  useEffect(() => {
    document.title = site === undefined ? data.title : `${texts.signIn.title(site)} – ${data.title}`;
  }, [site, data.title, language]);
  // What had the focus may be gone with the state that it was in.
  const before = useRef(status);
  useEffect(() => {
    const isFirst = before.current === "loading";
    before.current = status;
    if (!isFirst && document.activeElement === document.body) main.current?.focus();
  }, [status]);

  return (
    <Frame {...shown} main={main}>
      <Step signIn={signIn} />
      {signIn.is === "loading" && (
        <p class="fault" role="alert">
          {problem}
        </p>
      )}
      {signIn.is === "open" && (
        <>
          <Open
            {...signIn}
            verificationMs={data.verificationMs}
            game={game}
            unknown={fault?.code === "player_offline" ? fault.subject : undefined}
            problem={problem}
            isBusy={isBusy}
            onAsk={askPlayer}
            onGoOn={goOn}
          />
          <p class="cancel">
            <button type="button" class="quiet" aria-disabled={isBusy} onClick={() => cancel()}>
              {texts.signIn.cancel}
            </button>
          </p>
          <OfflineNotice game={game} />
        </>
      )}
    </Frame>
  );
}

/** What the page is about, whatever comes of it. */
function Step({ signIn }: { signIn: SignIn }) {
  switch (signIn.is) {
    case "loading":
      return <p class="soft">{texts.loading}</p>;
    case "gone":
      return <p>{texts.signIn.over}</p>;
    case "leaving":
      return <p>{texts.signIn.goingOn(signIn.site)}</p>;
    case "open":
      return (
        <>
          <h2>{texts.signIn.title(signIn.state.site.name)}</h2>
          <p>
            {texts.signIn.asks(signIn.state.site.name)}{" "}
            {signIn.state.withName ? texts.signIn.learnsName : texts.signIn.learnsId}
          </p>
        </>
      );
    default:
      return signIn satisfies never;
  }
}

interface OpenProps extends Extract<SignIn, { is: "open" }> {
  verificationMs: number;
  game: Seen;
  unknown: string | undefined;
  problem: string;
  isBusy: boolean;
  onAsk(name: string): void;
  onGoOn(uuid: string): void;
}

/** Who is offered, who is asked in the game, or who may be asked. */
function Open({ state, until, code, verificationMs, game, unknown, problem, isBusy, ...on }: OpenProps) {
  const [name, setName] = useState("");
  /** somebody is offered, and another one is to be asked */
  const [isOther, setIsOther] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  // Whoever asked for the form goes on typing.
  useEffect(() => {
    if (isOther) box.current?.focus();
  }, [isOther]);
  const { player, status, asked } = state;
  const isOffered = player !== null && status !== "waiting";
  const hasForm = status !== "waiting" && (player === null || isOther);
  return (
    <>
      {status === "waiting" && (
        <Pending
          name={asked ?? undefined}
          until={until}
          code={code}
          verificationMs={verificationMs}
          isAway={game.is === "away"}
        />
      )}
      {status === "declined" && <Declined state={state} code={code} />}
      {isOffered && (
        <div class="row">
          <Offer {...player} isBusy={isBusy} onGoOn={on.onGoOn} />
          {!isOther && (
            <button type="button" class="quiet" aria-disabled={isBusy} onClick={() => setIsOther(true)}>
              {texts.other}
            </button>
          )}
        </div>
      )}
      {hasForm && <p class="soft">{isOffered ? texts.otherHint : texts.signIn.willAsk}</p>}
      {hasForm ? (
        <LinkForm
          name={name}
          players={game.is === "online" ? game.players : []}
          unknown={unknown}
          problem={problem}
          isBusy={isBusy}
          isAgain={status === "declined"}
          box={box}
          onName={setName}
          onAsk={one => {
            if (isBusy) return;
            setName(one);
            on.onAsk(one);
          }}
        />
      ) : (
        <p class="fault" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

/**
 * How long the press that says yes has to have been in sight, in milliseconds: whoever double-clicks something else, which was in
 * front of it until the first click, says nothing here.
 */
const LOOK_MS = 500;

interface OfferProps {
  uuid: string;
  name: string;
  isBusy: boolean;
  onGoOn(uuid: string): void;
}

function Offer({ uuid, name, isBusy, onGoOn }: OfferProps) {
  const isOff = !useLookedAt(LOOK_MS) || isBusy;
  return (
    <button type="button" class="offer" aria-disabled={isOff} onClick={() => isOff || onGoOn(uuid)}>
      <Head uuid={uuid} />
      {texts.signIn.goOn(name)}
    </button>
  );
}

/** Why nobody goes on to the site. */
const Declined = ({ state, code }: { state: SignInState; code: string }) =>
  state.alike ? <p class="fault">{texts.sameCode(code)}</p> : <p>{texts.declinedText}</p>;
