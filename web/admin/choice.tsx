import { useState } from "preact/hooks";
import { texts } from "../platform/texts.ts";

interface Props<K extends string> {
  id: string;
  label: string;
  /** what can be chosen, in order, by what is made of it */
  options: Readonly<Record<K, string>>;
  value: NoInfer<K>;
  choose(value: NoInfer<K>): void;
}

/** One of several, with what is asked before them. */
export function Choice<K extends string>({ id, label, options, value, choose }: Props<K>) {
  const has = (key: string): key is K => Object.hasOwn(options, key);
  return (
    <>
      <label for={id}>{label}</label>
      <div class="row">
        <select
          id={id}
          value={value}
          onChange={({ currentTarget }) => has(currentTarget.value) && choose(currentTarget.value)}
        >
          {Object.entries<string>(options).map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      </div>
    </>
  );
}

/** The longest reason that the service takes, in characters. */
const REASON_LENGTH = 60;

/** Why something is done to a player: `told`, where a reason is given, as `fields` say it. */
export function useReason() {
  const [reason, setReason] = useState<keyof typeof texts.reasons>("none");
  const [own, setOwn] = useState("");
  const told = reason === "none" ? undefined : reason === "other" ? own : texts.reasons[reason];
  const fields = (
    <>
      <Choice id="reason" label={texts.reason} options={texts.reasons} value={reason} choose={setReason} />
      {reason === "other" && (
        <div class="row">
          <input
            aria-label={texts.ownReason}
            value={own}
            maxLength={REASON_LENGTH}
            autocomplete="off"
            onInput={event => setOwn(event.currentTarget.value)}
          />
        </div>
      )}
    </>
  );
  return { told, fields };
}
