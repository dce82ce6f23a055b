import { texts } from "../platform/texts.ts";

/** Why a request was declined. `conflictingCode`: the code of this browser, where another one has the same. */
export const DeclinedReason = ({ conflictingCode }: { conflictingCode: string | undefined }) =>
  conflictingCode === undefined ? (
    <p>{texts.declinedText}</p>
  ) : (
    <p class="fault">{texts.sameCode(conflictingCode)}</p>
  );
