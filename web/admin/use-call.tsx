import { useState } from "preact/hooks";
import type { Result } from "../../client/index.ts";
import { explain } from "../platform/texts.ts";
import { Alert } from "../ui/alert.tsx";
import { announce } from "../ui/announce.tsx";

interface Outcome {
  done: string;
  fault: string;
}

/** Makes one call at a time and keeps its outcome. `onWrongKey`: called when the key is no longer valid. */
export function useCall(onWrongKey: () => void) {
  const [outcome, setOutcome] = useState<Outcome>({ done: "", fault: "" });
  const [busy, setBusy] = useState(false);

  /** Resolves with whether the call succeeded. `subject`: the name that an error message is about. */
  async function run(call: Promise<Result<unknown>>, done: string, subject = ""): Promise<boolean> {
    setBusy(true);
    setOutcome({ done: "", fault: "" });
    const answer = await call;
    setBusy(false);
    if (!answer.ok && answer.code === "wrong_key") onWrongKey();
    setOutcome(answer.ok ? { done, fault: "" } : { done: "", fault: explain(answer, subject) });
    if (answer.ok) announce(done);
    return answer.ok;
  }
  const refuse = (fault: string): void => setOutcome({ done: "", fault });
  return { busy, run, refuse, outcome };
}

export const CallOutcome = ({ done, fault }: Outcome) => (
  <>
    <Alert text={fault} />
    <p class="done">{done}</p>
  </>
);
