import { useRef, useState } from "preact/hooks";
import type { Ban, Banned } from "../../client/index.ts";
import { mayBeName } from "../../shared/names.ts";
import { dayAndTime } from "../platform/format.ts";
import { BEGINNING_LENGTH } from "../platform/route.ts";
import { explain, texts } from "../platform/texts.ts";
import { visibleText } from "../platform/visible-text.ts";
import { Name } from "../players/name.tsx";
import { client } from "../service/service.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { QuietButton } from "../ui/quiet-button.tsx";
import { NAME_FIELD, NameForm } from "../ui/text-form.tsx";
import { ActionDialog, type ActionTerms } from "./action-dialogs.tsx";
import type { BanScope } from "./permissions.ts";
import type { AccessControl, AccessProps } from "./use-access.ts";
import { CallOutcome, CallProgress, useCall } from "./use-call.tsx";

/**
 * Whether no known player has exactly this name, as far as the visitor may know. Without a right to read known players that is
 * not known, and false.
 */
async function isUnknownName(
  name: string,
  { data, readerKey }: Pick<AccessControl, "data" | "readerKey">,
): Promise<boolean> {
  if (data.knownPlayers !== "everybody" && readerKey === undefined) return false;
  const found = await client.knownPlayers({
    name,
    limit: 200,
    ...(readerKey !== undefined && { key: readerKey }),
  });
  return found.ok && !found.value.players.some(player => player.name.toLowerCase() === name.toLowerCase());
}

const bannedText = ({ ban }: Banned): string => texts.banned(ban.name);

/** Warns that the name may be mistyped if no player has had it. */
const unknownWarning = ({ ban }: Banned): string => (ban.known ? "" : texts.banUnknown);

/** Bans a player by name, also one who is not online. */
export function BanByName({ access, control }: AccessProps) {
  const { clients, serverTitle, onRefused, reload } = control;
  const { busy, run, outcome, refuse, clear } = useCall(onRefused);
  const [name, setName] = useState("");
  /** whether the name is known, once the ban has to be confirmed */
  const [confirmation, setConfirmation] = useState<{ isUnknown: boolean } | undefined>(undefined);

  async function ask(): Promise<void> {
    clear();
    const isUnknown = await isUnknownName(name.trim(), control);
    if (isUnknown && !mayBeName(name)) refuse(explain({ code: "invalid_name", subject: name }));
    else setConfirmation({ isUnknown });
  }

  async function answer(terms?: ActionTerms): Promise<void> {
    setConfirmation(undefined);
    if (!terms) return;
    const { scope, ...how } = terms;
    const banning = (clients[scope] ?? clients.all).ban(access.key, { playerName: name }, how);
    if (!(await run(banning, { done: bannedText, warning: unknownWarning, subject: name }))) return;
    setName("");
    await reload();
  }

  return (
    <>
      <NameForm
        id="ban"
        label={texts.banAdd}
        hint={texts.addHint.gamertag}
        submit={texts.ban}
        value={name}
        fault={outcome.fault}
        busy={busy}
        button={{ class: "danger" }}
        onValue={value => {
          setName(value);
          clear();
        }}
        onSubmit={() => (name.trim() === "" ? refuse(texts.nameMissing) : void ask())}
      >
        <CallProgress {...outcome} />
      </NameForm>
      {confirmation && (
        <ActionDialog
          action="ban"
          name={name}
          scopes={access.ban}
          serverTitle={serverTitle}
          isUnknown={confirmation.isUnknown}
          onAnswer={terms => void answer(terms)}
        />
      )}
    </>
  );
}

/** How many bans are shown at first, and added by "show more". */
const PAGE = 100;
/** From how many bans on there is a search field. */
const MIN_SEARCHED = 20;

/** Before the name of a player who banned a player in the game, or as a moderator without a key. */
const [IN_GAME, BY_LINK] = ["game:", "player:"];

/** Who has banned somebody. */
function authorOf(by: string): string {
  if (by.startsWith(IN_GAME)) return texts.bannedInGame(by.slice(IN_GAME.length));
  return texts.bannedBy(by.startsWith(BY_LINK) ? by.slice(BY_LINK.length) : by);
}

/** The name; the uuid of a player who was banned by it and never seen. */
const nameOf = ({ name, uuid }: Ban): string => name || (uuid ?? "");

export function Bans({ access, control, bans }: AccessProps & { bans: readonly Ban[] }) {
  const { clients, serverTitle, onRefused, reload } = control;
  const { key, ban: scopes } = access;
  const { busy, run, outcome, clear } = useCall(onRefused);
  const [banToEnd, setBanToEnd] = useState<Ban | undefined>(undefined);
  const [beginning, setBeginning] = useState("");
  const [limit, setLimit] = useState(PAGE);
  const heading = useRef<HTMLHeadingElement>(null);
  const found = bans.filter(ban => nameOf(ban).toLowerCase().startsWith(beginning.toLowerCase()));
  const scopeOf = ({ servers }: Ban): BanScope => (servers === null || !clients.here ? "all" : "here");

  async function unban(ban: Ban): Promise<void> {
    // The button that had the focus goes with its ban, and the list with the last one.
    heading.current?.focus();
    const player = ban.uuid === null ? { playerName: ban.name } : { uuid: ban.uuid };
    const name = nameOf(ban);
    const unbanning = (clients[scopeOf(ban)] ?? clients.all).unban(key, player);
    await run(unbanning, { done: texts.unbanned(name), subject: name });
    await reload();
  }

  function describe(ban: Ban): string {
    const { until, reason, by } = ban;
    return [
      until === null ? texts.banSpans.ever : texts.bannedUntil(dayAndTime(until)),
      reason,
      by && authorOf(by),
      !ban.known && texts.neverPlayed,
      clients.here && (scopeOf(ban) === "all" ? texts.allServers : serverTitle),
    ]
      .filter(Boolean)
      .join(" · ");
  }

  return (
    <>
      <h3 ref={heading} tabIndex={-1}>
        {texts.bans}
      </h3>
      <CallOutcome {...outcome} />
      {bans.length >= MIN_SEARCHED && (
        <>
          <label for="banned">{texts.searchName}</label>
          <div class="row">
            <input
              id="banned"
              type="search"
              value={beginning}
              maxLength={BEGINNING_LENGTH}
              {...NAME_FIELD}
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
          {found.slice(0, limit).map(ban => (
            <li key={`${scopeOf(ban)} ${ban.uuid ?? ban.name}`}>
              <div>
                <Name name={nameOf(ban)} />
                <small class="soft">{visibleText(describe(ban))}</small>
              </div>
              {scopes.includes(scopeOf(ban)) && (
                <QuietButton
                  label={texts.unbanName(nameOf(ban))}
                  busy={busy}
                  onClick={() => {
                    clear();
                    setBanToEnd(ban);
                  }}
                >
                  {texts.unban}
                </QuietButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {found.length > limit && (
        <div class="row">
          <QuietButton onClick={() => setLimit(limit + PAGE)}>{texts.showMore}</QuietButton>
        </div>
      )}
      {banToEnd && (
        <ConfirmDialog
          title={texts.unbanQuestion}
          about={nameOf(banToEnd)}
          hint={texts.unbanHint}
          yes={texts.unban}
          onAnswer={isConfirmed => {
            setBanToEnd(undefined);
            if (isConfirmed) void unban(banToEnd);
          }}
        />
      )}
    </>
  );
}
