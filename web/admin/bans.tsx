import { useRef, useState } from "preact/hooks";
import type { Ban, BannedPlayer, ErrorCode } from "../../client/index.ts";
import { dayAndTime } from "../platform/format.ts";
import { BEGINNING_LENGTH } from "../platform/route.ts";
import { texts } from "../platform/texts.ts";
import { Question } from "../ui/confirm-dialog.tsx";
import { Choice, useReason } from "./choice.tsx";
import type { BanCalls, Moderates, Where } from "./permissions.ts";
import { useDoing } from "./use-call.tsx";

export interface BanProps {
  calls: BanCalls;
  /** of the moderator */
  pass: string;
  may: Moderates;
  /** of the chosen game server */
  title: string;
  /** Called when there is another list of bans. */
  onChanged(): void;
  /** Called when the key is none any more. */
  onWrongKey(code: ErrorCode): void;
}

/** How somebody is banned. */
interface How {
  where: Where;
  reason?: string;
  for?: string;
}

/** Bans players, one at a time. */
export function useBanning({ calls, pass, onChanged, onWrongKey }: BanProps) {
  const doing = useDoing(onWrongKey);
  /** Returns whether it did. */
  async function ban(who: BannedPlayer, name: string, { where, ...how }: How): Promise<boolean> {
    const call = (calls[where] ?? calls.all).ban(pass, who, how);
    const isDone = await doing.run(call, texts.banned(name), name);
    if (isDone) onChanged();
    return isDone;
  }
  return { ...doing, ban };
}

/** Asks for how long somebody is banned, why and where. `answer`: called once, without anything where it is a no. */
export function BanQuestion(
  props: Pick<BanProps, "may" | "title"> & { about: string; answer(how: How | undefined): void },
) {
  const { may, title, about, answer } = props;
  const [span, setSpan] = useState<keyof typeof texts.banSpans>("1h");
  const [where, setWhere] = useState<Where>(may.ban[0] ?? "all");
  const { told, fields } = useReason();
  return (
    <Question
      title={texts.banQuestion}
      about={about}
      hint={texts.banHint}
      yes={texts.ban}
      no={texts.banNot}
      answer={isWanted =>
        answer(
          isWanted
            ? { where, ...(told !== undefined && { reason: told }), ...(span !== "ever" && { for: span }) }
            : undefined,
        )
      }
    >
      <Choice id="span" label={texts.banFor} options={texts.banSpans} value={span} choose={setSpan} />
      {fields}
      {may.ban.length > 1 && (
        <Choice
          id="where"
          label={texts.banOn}
          options={{ all: texts.allServers, here: title }}
          value={where}
          choose={setWhere}
        />
      )}
    </Question>
  );
}

/** Bans whoever is not online, too, by the name. */
export function BanByName(props: BanProps) {
  const { busy, ban, shown, refuse } = useBanning(props);
  const [name, setName] = useState("");
  const [isAsked, setIsAsked] = useState(false);

  function ask(event: Event): void {
    event.preventDefault();
    if (busy) return;
    if (name.trim() === "") refuse(texts.banMissing);
    else setIsAsked(true);
  }

  async function answer(how: How | undefined): Promise<void> {
    setIsAsked(false);
    if (how && (await ban({ playerName: name }, name, how))) setName("");
  }

  return (
    <>
      <form onSubmit={ask} noValidate>
        <label for="ban">{texts.banAdd}</label>
        <div class="row">
          <input
            id="ban"
            value={name}
            maxLength={64}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            aria-describedby="ban-hint"
            onInput={event => setName(event.currentTarget.value)}
          />
          <button type="submit" aria-disabled={busy}>
            {texts.ban}
          </button>
        </div>
        <p id="ban-hint" class="soft">
          {texts.addHint.gamertag}
        </p>
        {shown}
      </form>
      {isAsked && (
        <BanQuestion may={props.may} title={props.title} about={name} answer={how => void answer(how)} />
      )}
    </>
  );
}

/** So many bans are shown at first, and more each time that more are asked for. */
const SHOWN = 100;
/** From so many on they can be searched. */
const SEARCHED = 20;

/** Before the name of who has banned somebody in the game. */
const IN_GAME = "game:";

/** Nobody has a name who was banned by uuid and never seen. */
const nameOf = ({ name, uuid }: Ban): string => name || (uuid ?? "");

/** Who is banned, until when, why and by whom. */
export function Bans({ bans, ...props }: BanProps & { bans: readonly Ban[] }) {
  const { calls, pass, may, title, onChanged, onWrongKey } = props;
  const { busy, run, shown } = useDoing(onWrongKey);
  const [asked, setAsked] = useState<Ban | undefined>(undefined);
  const [beginning, setBeginning] = useState("");
  const [most, setMost] = useState(SHOWN);
  const heading = useRef<HTMLHeadingElement>(null);
  const found = bans.filter(ban => nameOf(ban).toLowerCase().startsWith(beginning.toLowerCase()));
  const whereOf = ({ servers }: Ban): Where => (servers === null || !calls.here ? "all" : "here");

  async function lift(ban: Ban, isWanted: boolean): Promise<void> {
    setAsked(undefined);
    if (!isWanted) return;
    // The button that had the focus goes with its ban, and the list with the last one.
    heading.current?.focus();
    const who = ban.uuid === null ? { playerName: ban.name } : { uuid: ban.uuid };
    const name = nameOf(ban);
    await run((calls[whereOf(ban)] ?? calls.all).unban(pass, who), texts.lifted(name), name);
    onChanged();
  }

  function about(ban: Ban): string {
    const { until, reason, by } = ban;
    return [
      until === null ? texts.banSpans.ever : texts.bannedUntil(dayAndTime(until)),
      reason,
      by && (by.startsWith(IN_GAME) ? texts.bannedInGame(by.slice(IN_GAME.length)) : texts.bannedBy(by)),
      calls.here && (whereOf(ban) === "all" ? texts.allServers : title),
    ]
      .filter(Boolean)
      .join(" · ");
  }

  return (
    <>
      <h3 ref={heading} tabIndex={-1}>
        {texts.bans}
      </h3>
      {shown}
      {bans.length >= SEARCHED && (
        <>
          <label for="banned">{texts.searchName}</label>
          <div class="row">
            <input
              id="banned"
              type="search"
              value={beginning}
              maxLength={BEGINNING_LENGTH}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              onInput={event => setBeginning(event.currentTarget.value.trimStart())}
            />
          </div>
        </>
      )}
      {found.length === 0 ? (
        <p class="soft">{bans.length === 0 ? texts.nobodyBanned : texts.nobodyFound}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll a long list
        <ul class="names" tabIndex={0} aria-label={texts.bans}>
          {found.slice(0, most).map(ban => (
            <li key={`${whereOf(ban)} ${ban.uuid ?? ban.name}`}>
              <div>
                <bdi>{nameOf(ban)}</bdi>
                <small class="soft">{about(ban)}</small>
              </div>
              {may.ban.includes(whereOf(ban)) && (
                <button
                  type="button"
                  class="quiet"
                  aria-label={texts.liftName(nameOf(ban))}
                  aria-disabled={busy}
                  onClick={() => busy || setAsked(ban)}
                >
                  {texts.lift}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {found.length > most && (
        <div class="row">
          <button type="button" class="quiet" onClick={() => setMost(most + SHOWN)}>
            {texts.showMore}
          </button>
        </div>
      )}
      {asked && (
        <Question
          title={texts.liftQuestion}
          about={nameOf(asked)}
          hint={texts.liftHint}
          yes={texts.lift}
          no={texts.liftNot}
          answer={isWanted => void lift(asked, isWanted)}
        />
      )}
    </>
  );
}
