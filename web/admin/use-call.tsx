import { type ComponentChildren, createContext } from "preact";
import { useContext, useMemo, useState } from "preact/hooks";
import type { Result } from "../../client/index.ts";
import { explain, texts } from "../platform/texts.ts";
import { Alert } from "../ui/alert.tsx";
import { announce } from "../ui/announce.tsx";

interface Outcome {
  /** what is waited for */
  pending: string;
  done: string;
  fault: string;
}

export const NONE: Outcome = { pending: "", done: "", fault: "" };

/** The outcome that is shown, and whose it is: there is one at a time on the page. */
interface ShownOutcome {
  of: object | undefined;
  outcome: Outcome;
}

const OutcomeContext = createContext({
  shown: { of: undefined, outcome: NONE } as ShownOutcome,
  show: (_: ShownOutcome): void => undefined,
});

export function OutcomeProvider({ children }: { children: ComponentChildren }) {
  const [shown, show] = useState<ShownOutcome>({ of: undefined, outcome: NONE });
  const value = useMemo(() => ({ shown, show }), [shown]);
  return <OutcomeContext.Provider value={value}>{children}</OutcomeContext.Provider>;
}

interface CallWords {
  /** says that it is done */
  done: string;
  /** the name that an error message is about */
  subject?: string;
  /** says what is waited for, where that may take a while */
  pending?: string;
}

/** Makes one call at a time and shows its outcome. `onRefused`: called when the key, or the link, is no longer valid. */
export function useCall(onRefused: () => void) {
  const { shown, show } = useContext(OutcomeContext);
  const [own] = useState(() => ({}));
  const [busy, setBusy] = useState(false);
  const showOwn = (outcome: Partial<Outcome>): void => show({ of: own, outcome: { ...NONE, ...outcome } });

  /** Resolves with whether the call succeeded. */
  async function run(
    call: Promise<Result<unknown>>,
    { done, subject, pending = "" }: CallWords,
  ): Promise<boolean> {
    setBusy(true);
    showOwn({ pending });
    if (pending !== "") announce(pending);
    const answer = await call;
    setBusy(false);
    if (!answer.ok && answer.code === "wrong_key") onRefused();
    showOwn(answer.ok ? { done } : { fault: explain(answer, subject) });
    if (answer.ok) announce(done);
    return answer.ok;
  }
  return {
    busy,
    run,
    outcome: shown.of === own ? shown.outcome : NONE,
    refuse: (fault: string): void => showOwn({ fault }),
    /** Removes the outcome that is shown: something else is being done. */
    clear: (): void => show({ of: undefined, outcome: NONE }),
  };
}

/** For calls that the game carries out. */
export const waitsForGame = () => ({ pending: texts.waitingForGame });

export const CallOutcome = ({ pending, done, fault }: Outcome) => (
  <>
    <Alert text={fault} />
    <p class="pending soft">{pending}</p>
    <p class="done">{done}</p>
  </>
);

/** What stands below a form that shows its error message itself. */
export const CallProgress = ({ pending, done }: Outcome) => (
  <>
    <p class="pending soft">{pending}</p>
    <p class="done">{done}</p>
  </>
);
