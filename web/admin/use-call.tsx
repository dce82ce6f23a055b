import { useState } from "preact/hooks";
import type { ErrorCode, Result } from "../../client/index.ts";
import { explain } from "../platform/texts.ts";
import { announce } from "../ui/announce.tsx";

/** What becomes of one call at a time. `onWrongKey`: called when the key is none any more. */
export function useDoing(onWrongKey: (code: ErrorCode) => void) {
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
