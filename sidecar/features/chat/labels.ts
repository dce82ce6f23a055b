import { createHmac } from "node:crypto";
import { BROWSER_LENGTH, LABEL_LETTERS } from "../../../shared/web-chat.ts";

/** What everybody may know a session by: eight letters, from which nobody learns a character of it. */
export type LabelOf = (session: string) => string;

/** Labels of one installation: the same from every sidecar with this bridge token. */
export const createLabels =
  (token: string): LabelOf =>
  session =>
    [...createHmac("sha256", token).update(`label of ${session}`).digest().subarray(0, BROWSER_LENGTH)]
      .map(byte => LABEL_LETTERS[byte % LABEL_LETTERS.length])
      .join("");
