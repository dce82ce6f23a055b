import { useRef, useState } from "preact/hooks";
import type { Client, ErrorCode, Result } from "../client/index.ts";
import { announce } from "./announce.tsx";
import { type Game, shownOf } from "./game.ts";
import type { Moderates } from "./moderation.ts";
import { Question } from "./question.tsx";
import { explain, texts } from "./texts.ts";

interface Props {
  /** of the game server */
  client: Client;
  /** of the moderator */
  pass: string;
  may: Moderates;
  game: Game;
  /** Called when the key is none any more. */
  onWrongKey(code: ErrorCode): void;
}

/** The longest texts that the service takes, in characters. */
const REASON_LENGTH = 60;
const ANNOUNCEMENT_LENGTH = 256;

/** What a moderator does in the game: sends players away, and announces. To be made anew for another game server. */
export function Moderate(props: Props) {
  return (
    <>
      {props.may.kick && <Kick {...props} />}
      {props.may.announce && <Announce {...props} />}
    </>
  );
}

/** What becomes of one call at a time. */
function useDoing(onWrongKey: Props["onWrongKey"]) {
  const [told, setTold] = useState({ done: "", fault: "" });
  const [busy, setBusy] = useState(false);

  /** Says `done`, or why it did not work; returns whether it did. */
  async function run(call: Promise<Result<unknown>>, done: string, subject = ""): Promise<boolean> {
    setBusy(true);
    setTold({ done: "", fault: "" });
    const answer = await call;
    setBusy(false);
    if (answer.ok) {
      setTold({ done, fault: "" });
      announce(done);
      return true;
    }
    if (answer.code === "wrong_key") onWrongKey(answer.code);
    setTold({ done: "", fault: explain(answer.code, answer.retryAfter, subject) });
    return false;
  }

  const shown = (
    <>
      <p class="fault" role="alert">
        {told.fault}
      </p>
      <p class="done">{told.done}</p>
    </>
  );
  return { busy, run, shown, refuse: (fault: string) => setTold({ done: "", fault }) };
}

function Kick({ client, pass, game, onWrongKey }: Props) {
  const { busy, run, shown } = useDoing(onWrongKey);
  /** who it is asked about */
  const [asked, setAsked] = useState<string | undefined>(undefined);
  const [reason, setReason] = useState("none");
  const [own, setOwn] = useState("");
  const list = useRef<HTMLUListElement>(null);
  const players = (shownOf(game)?.players ?? []).map(({ name }) => name).sort();
  const { none, other, ...given } = texts.reasons;

  async function answer(name: string, isWanted: boolean): Promise<void> {
    setAsked(undefined);
    if (!isWanted) return;
    // The button that had the focus goes with its player.
    list.current?.focus();
    const told = reason === "other" ? own : given[reason as keyof typeof given];
    if (await run(client.kick(pass, name, told), texts.sentAway(name), name)) setOwn("");
  }

  return (
    <>
      <h3>{texts.playersHere}</h3>
      {shown}
      {players.length === 0 ? (
        <p class="soft">{texts.nobody}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll a long list
        <ul class="names" tabIndex={0} aria-label={texts.playersHere} ref={list}>
          {players.map(name => (
            <li key={name}>
              <bdi>{name}</bdi>
              <button
                type="button"
                class="quiet"
                aria-label={texts.sendAwayName(name)}
                aria-disabled={busy}
                onClick={() => busy || setAsked(name)}
              >
                {texts.sendAway}
              </button>
            </li>
          ))}
        </ul>
      )}
      {asked === undefined ? null : (
        <Question
          title={texts.sendAwayQuestion}
          about={asked}
          hint={texts.sendAwayHint}
          yes={texts.sendAway}
          no={texts.letStay}
          answer={isWanted => void answer(asked, isWanted)}
        >
          <label for="reason">{texts.reason}</label>
          <div class="row">
            <select id="reason" value={reason} onChange={event => setReason(event.currentTarget.value)}>
              {Object.entries({ none, ...given, other }).map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
            {reason === "other" && (
              <input
                aria-label={texts.ownReason}
                value={own}
                maxLength={REASON_LENGTH}
                autocomplete="off"
                onInput={event => setOwn(event.currentTarget.value)}
              />
            )}
          </div>
        </Question>
      )}
    </>
  );
}

function Announce({ client, pass, onWrongKey }: Props) {
  const { busy, run, shown, refuse } = useDoing(onWrongKey);
  const [text, setText] = useState("");
  const [isAsked, setIsAsked] = useState(false);

  function ask(event: Event): void {
    event.preventDefault();
    if (busy) return;
    if (text.trim() === "") refuse(texts.announceMissing);
    else setIsAsked(true);
  }

  async function answer(isWanted: boolean): Promise<void> {
    setIsAsked(false);
    if (isWanted && (await run(client.announce(pass, text), texts.announced))) setText("");
  }

  return (
    <>
      <form onSubmit={ask} noValidate>
        <h3>{texts.announcement}</h3>
        <div class="row">
          <input
            aria-label={texts.announcement}
            value={text}
            maxLength={ANNOUNCEMENT_LENGTH}
            autocomplete="off"
            onInput={event => setText(event.currentTarget.value)}
          />
          <button type="submit" aria-disabled={busy}>
            {texts.announce}
          </button>
        </div>
        {shown}
      </form>
      {isAsked && (
        <Question
          title={texts.announceQuestion}
          about={text}
          hint={texts.announceHint}
          yes={texts.announce}
          no={texts.announceNot}
          answer={isWanted => void answer(isWanted)}
        />
      )}
    </>
  );
}
