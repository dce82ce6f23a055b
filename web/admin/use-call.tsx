import { type ComponentChildren, createContext } from "preact";
import { useContext, useMemo, useState } from "preact/hooks";
import type { Failure, Result } from "../../client/index.ts";
import { explain, texts } from "../platform/texts.ts";
import { Alert } from "../ui/alert.tsx";
import { announce } from "../ui/announce.tsx";
import { isRefusal } from "./permissions.ts";

interface Outcome {
  /** the pending call */
  pending: string;
  done: string;
  /** what the visitor should check after it */
  warning: string;
  fault: string;
}

export const NONE: Outcome = { pending: "", done: "", warning: "", fault: "" };

/** The visible outcome, and its form: there is one at a time on the page. */
interface ShownOutcome {
  of: object | undefined;
  outcome: Outcome;
}

const OutcomeContext = createContext({
  current: { of: undefined, outcome: NONE } as ShownOutcome,
  show: (_: ShownOutcome): void => undefined,
});

export function OutcomeProvider({ children }: { children: ComponentChildren }) {
  const [current, show] = useState<ShownOutcome>({ of: undefined, outcome: NONE });
  const value = useMemo(() => ({ current, show }), [current]);
  return <OutcomeContext.Provider value={value}>{children}</OutcomeContext.Provider>;
}

interface CallWords<T> {
  /** says that it is done, or makes that of the answer */
  done: string | ((answer: T) => string);
  /** what the visitor should check after it; empty: nothing */
  warning?: (answer: T) => string;
  /** the name that an error message is about */
  subject?: string;
  /** describes the pending call, if it may take a while */
  pending?: string;
}

/**
 * Makes one call at a time and shows its outcome. `onRefused`: called when the key, or the link, is no longer valid; returns what to
 * show.
 */
export function useCall(onRefused: (failure: Failure) => string) {
  const { current, show } = useContext(OutcomeContext);
  const [own] = useState(() => ({}));
  const [busy, setBusy] = useState(false);
  const showOwn = (outcome: Partial<Outcome>): void => show({ of: own, outcome: { ...NONE, ...outcome } });

  /** Resolves with whether the call succeeded. */
  async function run<T>(
    call: Promise<Result<T>>,
    { done, warning = () => "", subject, pending = "" }: CallWords<T>,
  ): Promise<boolean> {
    setBusy(true);
    showOwn({ pending });
    if (pending !== "") announce(pending);
    const answer = await call;
    setBusy(false);
    if (!answer.ok) {
      showOwn({ fault: isRefusal(answer) ? onRefused(answer) : explain(answer, subject) });
      return false;
    }
    const said = typeof done === "string" ? done : done(answer.value);
    const warned = warning(answer.value);
    showOwn({ done: said, warning: warned });
    announce([said, warned].filter(Boolean).join(" "));
    return true;
  }
  return {
    busy,
    run,
    outcome: current.of === own ? current.outcome : NONE,
    refuse: (fault: string): void => showOwn({ fault }),
    /** Removes the visible outcome before another call. */
    clear: (): void => show({ of: undefined, outcome: NONE }),
  };
}

/** For calls that the game carries out. */
export const waitsForGame = () => ({ pending: texts.waitingForGame });

export const CallOutcome = (outcome: Outcome) => (
  <>
    <Alert text={outcome.fault} />
    <CallProgress {...outcome} />
  </>
);

/** The text below a form that shows its error message itself. */
export const CallProgress = ({ pending, done, warning }: Outcome) => (
  <>
    <p class="pending soft">{pending}</p>
    <p class="done">{done}</p>
    {warning && <p class="warn">{warning}</p>}
  </>
);
