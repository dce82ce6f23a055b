import { useRef, useState } from "preact/hooks";
import type { Scope, ServiceSettings } from "../../client/index.ts";
import { isFocusLost, useChange } from "../platform/hooks.ts";
import { hashOf } from "../platform/route.ts";
import { texts } from "../platform/texts.ts";
import type { GameState } from "../servers/game-state.ts";
import { OfflineNotice } from "../servers/offline-notice.tsx";
import { Alert } from "../ui/alert.tsx";
import { QuietButton } from "../ui/quiet-button.tsx";
import { TextForm } from "../ui/text-form.tsx";
import { KnownPlayersAccess } from "./known-players-access.tsx";
import { Moderation } from "./moderation.tsx";
import type { Access, AccessControl } from "./use-access.ts";
import { useCall } from "./use-call.tsx";
import { Whitelist } from "./whitelist.tsx";

interface Props {
  data: ServiceSettings;
  game: GameState;
  control: AccessControl;
}

/** The whitelist of a game server, and moderation, for holders of a key and for moderators. */
export function Admin({ data, game, control }: Props) {
  const { access, hasKey, moderator } = control;
  const heading = useRef<HTMLHeadingElement>(null);
  useChange(access !== undefined, () => {
    if (isFocusLost()) heading.current?.focus();
  });
  const isOff = !data.whitelist && !data.moderation && data.staysForMs === undefined;
  return (
    <section class="narrow" aria-labelledby="administration-title">
      <h2 id="administration-title" ref={heading} tabIndex={-1}>
        {texts.administration}
      </h2>
      <OfflineNotice game={game} />
      {isOff && <p>{texts.faults.admin_api_disabled}</p>}
      {!isOff && !hasKey && moderator !== undefined && <p>{texts.moderatesAs(moderator)}</p>}
      {access && <Signed key={access.client} access={access} game={game} control={control} />}
      {!isOff && !hasKey && <KeyForm control={control} />}
      <KnownPlayersAccess data={data} />
    </section>
  );
}

/** Asks for a key. It stays in this tab, or on this device where the visitor says so. */
function KeyForm({ control }: Pick<Props, "control">) {
  const { isBusy, fault, moderator, signIn, clearFault } = control;
  const [key, setKey] = useState("");
  const [isLasting, setIsLasting] = useState(false);
  return (
    <>
      {moderator === undefined && <p>{texts.adminIntro}</p>}
      {!isSecureContext && (
        <p class="warn" role="note">
          {texts.insecure}
        </p>
      )}
      <TextForm
        id="key"
        label={texts.key}
        isSection={moderator !== undefined}
        submit={texts.signInKey}
        value={key}
        fault={fault}
        busy={isBusy}
        field={{ type: "password", autocomplete: "off" }}
        button={{ disabled: key === "" }}
        onValue={value => {
          setKey(value);
          clearFault();
        }}
        onSubmit={() => void signIn(key, isLasting)}
      >
        <label class="check">
          <input
            type="checkbox"
            checked={isLasting}
            onChange={({ currentTarget }) => setIsLasting(currentTarget.checked)}
          />
          {texts.keepKey}
        </label>
      </TextForm>
    </>
  );
}

const WHITELIST: readonly Scope[] = ["whitelist:read", "whitelist:write"];

/** What the visitor may see and do on a game server. */
function Signed({ access, game, control }: { access: Access; game: GameState; control: AccessControl }) {
  const { isBusy, fault, hasKey, readerKey, reload, signOut } = control;
  const { clear } = useCall(control.onRefused);
  return (
    <>
      {readerKey !== undefined && (
        <p>
          {texts.keyReads} <a href={hashOf("everybody")}>{texts.views.everybody}</a>
        </p>
      )}
      {hasKey && <Alert text={fault} />}
      <div class="row">
        <QuietButton
          busy={isBusy}
          onClick={() => {
            clear();
            void reload();
          }}
        >
          {texts.refresh}
        </QuietButton>
        {hasKey && <QuietButton onClick={signOut}>{texts.signOut}</QuietButton>}
      </div>
      {WHITELIST.some(scope => access.scopes.includes(scope)) && (
        <Whitelist access={access} control={control} />
      )}
      <Moderation access={access} game={game} control={control} />
    </>
  );
}
