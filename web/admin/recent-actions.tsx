import type { AuditEntry } from "../../client/index.ts";
import { dayAndTime } from "../platform/format.ts";
import { texts } from "../platform/texts.ts";
import { visibleText } from "../platform/visible-text.ts";
import { Name } from "../players/name.tsx";

type AuditedAction = keyof typeof texts.audit.actions;
const hasText = (action: string): action is AuditedAction => Object.hasOwn(texts.audit.actions, action);

/** Outcomes of what was done. */
const DONE: readonly string[] = [
  ...["whitelisted", "removed", "kicked", "announced", "banned", "unbanned", "muted", "unmuted"],
  ...["linked", "unlinked", "set", "bound", "hidden", "shown", "blocked", "unblocked", "forgotten"],
  "signed_in",
];

const actionOf = ({ action, name }: AuditEntry): string =>
  hasText(action) ? texts.audit.actions[action](name) : `${action}: ${name}`;

function describe({ at, key, client, server, reason, outcome }: AuditEntry): string {
  return [
    dayAndTime(at),
    key ?? client,
    server,
    reason,
    DONE.includes(outcome) ? undefined : texts.audit.failed(outcome),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** What was done lately with keys and by moderators, newest first. */
export function RecentActions({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <>
      <h3>{texts.audit.title}</h3>
      {entries.length === 0 ? (
        <p class="soft">{texts.audit.none}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll a long list
        <ul class="names" tabIndex={0} aria-label={texts.audit.title}>
          {entries.map(entry => (
            <li key={`${entry.at} ${entry.action} ${entry.name}`}>
              <div>
                <Name name={actionOf(entry)} />
                <small class="soft">{visibleText(describe(entry))}</small>
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
