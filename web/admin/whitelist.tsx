import { useRef, useState } from "preact/hooks";
import { texts } from "../platform/texts.ts";
import { Name } from "../players/name.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { QuietButton } from "../ui/quiet-button.tsx";
import { NameForm } from "../ui/text-form.tsx";
import type { Access, AccessControl } from "./use-access.ts";
import { CallOutcome, CallProgress, useCall, waitsForGame } from "./use-call.tsx";

interface Props {
  access: Access;
  control: Pick<AccessControl, "data" | "isBusy" | "onRefused" | "reload">;
}

/** The whitelist of the chosen game server. */
export function Whitelist({ access, control }: Props) {
  const { client, key = "", names, scopes } = access;
  const [canRead, canChange] = [scopes.includes("whitelist:read"), scopes.includes("whitelist:write")];
  const { data, isBusy, onRefused, reload } = control;
  const adding = useCall(onRefused);
  const removing = useCall(onRefused);
  const [name, setName] = useState("");
  const [nameToRemove, setNameToRemove] = useState<string | undefined>(undefined);
  const list = useRef<HTMLUListElement>(null);
  const busy = adding.busy || removing.busy;

  async function add(): Promise<void> {
    if (name.trim() === "") return adding.refuse(texts.nameMissing);
    const words = { ...waitsForGame(), done: texts.added(name), subject: name };
    if (!(await adding.run(client.addToWhitelist(key, name), words))) return;
    setName("");
    await reload();
  }

  async function remove(one: string): Promise<void> {
    // The button that had the focus goes with its name.
    list.current?.focus();
    const words = { ...waitsForGame(), done: texts.removed(one), subject: one };
    await removing.run(client.removeFromWhitelist(key, one), words);
    await reload();
  }

  return (
    <>
      <h3>{texts.whitelist}</h3>
      {canChange && (
        <NameForm
          id="add"
          label={texts.addName}
          hint={texts.addHint[data.whitelistNames]}
          submit={texts.add}
          value={name}
          fault={adding.outcome.fault}
          busy={busy}
          onValue={value => {
            setName(value);
            adding.clear();
          }}
          onSubmit={() => void add()}
        >
          <CallProgress {...adding.outcome} />
        </NameForm>
      )}
      <CallOutcome {...removing.outcome} />
      {names === undefined && isBusy && canRead && <p class="soft">{texts.loading}</p>}
      {names?.length === 0 && <p class="soft">{texts.emptyList}</p>}
      {names !== undefined && names.length > 0 && (
        <>
          <h4>{texts.listed(names.length)}</h4>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll a long list */}
          <ul class="names" tabIndex={0} aria-label={texts.whitelist} ref={list}>
            {names.map(one => (
              <li key={one}>
                <Name name={one} />
                {canChange && (
                  <QuietButton
                    label={texts.removeName(one)}
                    busy={busy}
                    isDanger={true}
                    onClick={() => {
                      removing.clear();
                      setNameToRemove(one);
                    }}
                  >
                    {texts.remove}
                  </QuietButton>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {nameToRemove !== undefined && (
        <ConfirmDialog
          title={texts.removeQuestion}
          about={nameToRemove}
          hint={texts.removeHint}
          yes={texts.remove}
          isDanger={true}
          onAnswer={isConfirmed => {
            setNameToRemove(undefined);
            if (isConfirmed) void remove(nameToRemove);
          }}
        />
      )}
    </>
  );
}
