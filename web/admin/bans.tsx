import { useRef, useState } from "preact/hooks";
import type { Ban, BannedPlayer } from "../../client/index.ts";
import { dayAndTime } from "../platform/format.ts";
import { BEGINNING_LENGTH } from "../platform/route.ts";
import { texts } from "../platform/texts.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { QuietButton } from "../ui/quiet-button.tsx";
import { NAME_FIELD, NameForm } from "../ui/text-form.tsx";
import { Choice } from "./choice.tsx";
import type { BanClients, BanScope, Permissions } from "./permissions.ts";
import { CallOutcome, useCall } from "./use-call.tsx";
import { useReason } from "./use-reason.tsx";

export interface BanProps {
  clients: BanClients;
  adminKey: string;
  permissions: Permissions;
  serverTitle: string;
  onChanged(): void;
  onWrongKey(): void;
}

interface BanTerms {
  scope: BanScope;
  reason?: string;
  for?: string;
}

export function useBanning({ clients, adminKey, onChanged, onWrongKey }: BanProps) {
  const call = useCall(onWrongKey);
  async function ban(player: BannedPlayer, name: string, { scope, ...how }: BanTerms): Promise<boolean> {
    const banning = (clients[scope] ?? clients.all).ban(adminKey, player, how);
    const isDone = await call.run(banning, texts.banned(name), name);
    if (isDone) onChanged();
    return isDone;
  }
  return { ...call, ban };
}

/** Asks for the duration, reason and scope of a ban. `onAnswer`: called once, without terms where it is cancelled. */
export function BanDialog({
  permissions,
  serverTitle,
  name,
  onAnswer,
}: Pick<BanProps, "permissions" | "serverTitle"> & { name: string; onAnswer(terms?: BanTerms): void }) {
  const [span, setSpan] = useState<keyof typeof texts.banSpans>("1h");
  const [scope, setScope] = useState<BanScope>(permissions.ban[0] ?? "all");
  const { reason, fields } = useReason();
  const terms = { scope, ...(reason !== undefined && { reason }), ...(span !== "ever" && { for: span }) };
  return (
    <ConfirmDialog
      title={texts.banQuestion}
      about={name}
      hint={texts.banHint}
      yes={texts.ban}
      no={texts.banNot}
      onAnswer={isConfirmed => onAnswer(isConfirmed ? terms : undefined)}
    >
      <Choice id="span" label={texts.banFor} options={texts.banSpans} value={span} onChoose={setSpan} />
      {fields}
      {permissions.ban.length > 1 && (
        <Choice
          id="where"
          label={texts.banOn}
          options={{ all: texts.allServers, here: serverTitle }}
          value={scope}
          onChoose={setScope}
        />
      )}
    </ConfirmDialog>
  );
}

/** Bans a player by name, also one who is not online. */
export function BanByName(props: BanProps) {
  const { busy, ban, outcome, refuse } = useBanning(props);
  const [name, setName] = useState("");
  const [isAsking, setIsAsking] = useState(false);

  async function answer(terms?: BanTerms): Promise<void> {
    setIsAsking(false);
    if (terms && (await ban({ playerName: name }, name, terms))) setName("");
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
        onValue={setName}
        onSubmit={() => (name.trim() === "" ? refuse(texts.banMissing) : setIsAsking(true))}
      >
        <p class="done">{outcome.done}</p>
      </NameForm>
      {isAsking && <BanDialog {...props} name={name} onAnswer={terms => void answer(terms)} />}
    </>
  );
}

/** How many bans are shown at first, and added by "show more". */
const PAGE = 100;
/** From how many bans on there is a search field. */
const MIN_SEARCHED = 20;

/** Precedes the name of a player who banned a player in the game. */
const IN_GAME = "game:";

/** The name; the uuid of a player who was banned by it and never seen. */
const nameOf = ({ name, uuid }: Ban): string => name || (uuid ?? "");

export function Bans({ bans, ...props }: BanProps & { bans: readonly Ban[] }) {
  const { clients, adminKey, permissions, serverTitle, onChanged, onWrongKey } = props;
  const { busy, run, outcome } = useCall(onWrongKey);
  const [banToLift, setBanToLift] = useState<Ban | undefined>(undefined);
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
    await run((clients[scopeOf(ban)] ?? clients.all).unban(adminKey, player), texts.lifted(name), name);
    onChanged();
  }

  function describe(ban: Ban): string {
    const { until, reason, by } = ban;
    return [
      until === null ? texts.banSpans.ever : texts.bannedUntil(dayAndTime(until)),
      reason,
      by && (by.startsWith(IN_GAME) ? texts.bannedInGame(by.slice(IN_GAME.length)) : texts.bannedBy(by)),
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
                <bdi>{nameOf(ban)}</bdi>
                <small class="soft">{describe(ban)}</small>
              </div>
              {permissions.ban.includes(scopeOf(ban)) && (
                <QuietButton
                  label={texts.liftName(nameOf(ban))}
                  busy={busy}
                  onClick={() => setBanToLift(ban)}
                >
                  {texts.lift}
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
      {banToLift && (
        <ConfirmDialog
          title={texts.liftQuestion}
          about={nameOf(banToLift)}
          hint={texts.liftHint}
          yes={texts.lift}
          no={texts.liftNot}
          onAnswer={isConfirmed => {
            setBanToLift(undefined);
            if (isConfirmed) void unban(banToLift);
          }}
        />
      )}
    </>
  );
}
