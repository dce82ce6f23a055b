import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect, useMemo, useState } from "preact/hooks";
import type { Result } from "../../client/index.ts";
import { useChange, useLatest } from "../platform/hooks.ts";
import { texts } from "../platform/texts.ts";
import { type GameState, latestFigures } from "../servers/game-state.ts";
import { ActionChoice, ActionDialog, type ActionTerms } from "./action-dialogs.tsx";
import { type Action, actionsOf, type Target } from "./actions.ts";
import type { Access, AccessControl } from "./use-access.ts";
import { CallOutcome, NONE, useCall, waitsForGame } from "./use-call.tsx";

interface Actions {
  /** What the visitor may do with a target now. */
  of(target: Target): readonly Action[];
  /** Asks for an action, or for this one's details, and carries it out. `onConfirmed`: called before that. */
  begin(target: Target, action?: Action, onConfirmed?: () => void): void;
}

const ActionsContext = createContext<Actions>({ of: () => [], begin: () => undefined });
const ActionOutcomeContext = createContext(NONE);

/** The outcome of an action on a player, at the edge of the window. */
export function ActionOutcome() {
  const outcome = useContext(ActionOutcomeContext);
  if (!outcome.pending && !outcome.done && !outcome.fault) return null;
  return (
    <div class="action-outcome">
      <CallOutcome {...outcome} />
    </div>
  );
}

export const useActions = (): Actions => useContext(ActionsContext);

/** The button for what a moderator can do with a player or a browser; nothing for others. */
export function PlayerActions(target: Target) {
  const actions = useActions();
  if (actions.of(target).length === 0) return null;
  return (
    <button
      type="button"
      class="plain player-actions"
      aria-label={texts.actionsFor(target.name)}
      aria-haspopup="dialog"
      onClick={() => actions.begin(target)}
    >
      ⋯
    </button>
  );
}

/** Texts that say that an action was carried out. */
const DONE = { kick: "kicked", ban: "banned", mute: "muted", unmute: "unmuted" } as const;

/** How long a success message is visible, in milliseconds. */
const DONE_MS = 10_000;

interface Begun {
  target: Target;
  /** undefined: it is being chosen */
  action: Action | undefined;
  onConfirmed: (() => void) | undefined;
}

/** Lets `PlayerActions` below it ask and act; `ActionOutcome` below it shows what came of it. */
export function ActionsProvider({
  control,
  game,
  page,
  children,
}: {
  control: AccessControl;
  game: GameState;
  /** the current page: messages disappear with it */
  page: string;
  children: ComponentChildren;
}) {
  const { access, clients, serverTitle, onRefused, reload } = control;
  const { run, outcome, clear } = useCall(onRefused);
  const [begun, setBegun] = useState<Begun | undefined>(undefined);
  const onlineKey =
    latestFigures(game)
      ?.players.map(({ uuid }) => uuid)
      .join() ?? "";
  const clearLatest = useLatest(clear);
  const actions = useMemo<Actions>(() => {
    const online = new Set(onlineKey.split(","));
    return {
      of: target => actionsOf(access, online, target),
      begin(target, action, onConfirmed) {
        clearLatest.current();
        const [only, other] = actionsOf(access, online, target);
        setBegun({ target, action: action ?? (other === undefined ? only : undefined), onConfirmed });
      },
    };
  }, [access, onlineKey, clearLatest]);

  useChange(page, clear);
  useEffect(() => {
    if (outcome.done === "") return;
    const timer = setTimeout(() => clearLatest.current(), DONE_MS);
    return () => clearTimeout(timer);
  }, [outcome.done, clearLatest]);

  const chosen = begun?.action;
  const { name = "", label = "", uuid = "" } = begun?.target ?? {};

  function call(
    action: Action,
    { client, key }: Access,
    { scope, ...how }: ActionTerms,
  ): Promise<Result<unknown>> {
    switch (action) {
      case "kick":
        return client.kick(key, name, how.reason);
      case "ban":
        return (clients[scope] ?? clients.all).ban(key, { uuid }, how);
      case "mute":
        return clients.all.mute(key, label, how.for);
      case "unmute":
        return clients.all.unmute(key, label);
    }
  }

  async function answer(action: Action, terms?: ActionTerms): Promise<void> {
    setBegun(undefined);
    if (!terms || !access) return;
    begun?.onConfirmed?.();
    const words = {
      done: texts[DONE[action]](name),
      subject: name,
      ...(action === "kick" && waitsForGame()),
    };
    // A mute may also have ended by itself.
    if ((await run(call(action, access, terms), words)) || action === "unmute") await reload();
  }

  return (
    <ActionsContext.Provider value={actions}>
      <ActionOutcomeContext.Provider value={outcome}>{children}</ActionOutcomeContext.Provider>
      {begun && !chosen && (
        <ActionChoice
          name={name}
          actions={actions.of(begun.target)}
          onAnswer={action => setBegun(action && { ...begun, action })}
        />
      )}
      {chosen && (
        <ActionDialog
          action={chosen}
          name={name}
          scopes={access?.ban ?? []}
          serverTitle={serverTitle}
          onAnswer={terms => void answer(chosen, terms)}
        />
      )}
    </ActionsContext.Provider>
  );
}
