import { useState } from "preact/hooks";
import { texts } from "../platform/texts.ts";
import { Choice } from "./choice.tsx";

/** The longest reason that the service takes, in characters. */
const REASON_LENGTH = 60;

/** The reason for a kick or a ban, undefined where none was given, and the fields that ask for it. */
export function useReason() {
  const [choice, setChoice] = useState<keyof typeof texts.reasons>("none");
  const [own, setOwn] = useState("");
  const reason = choice === "none" ? undefined : choice === "other" ? own : texts.reasons[choice];
  const fields = (
    <>
      <Choice id="reason" label={texts.reason} options={texts.reasons} value={choice} onChoose={setChoice} />
      {choice === "other" && (
        <div class="row">
          <input
            aria-label={texts.ownReason}
            placeholder={texts.ownReason}
            value={own}
            maxLength={REASON_LENGTH}
            autocomplete="off"
            onInput={event => setOwn(event.currentTarget.value)}
          />
        </div>
      )}
    </>
  );
  return { reason, fields };
}
