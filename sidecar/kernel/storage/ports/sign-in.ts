/** What sign-ins have under way and have given out. Several sidecar processes may share one. */
export interface SignInStore {
  /** Keeps a text under a key for so many milliseconds, in the place of what is there. */
  put(key: string, text: string, forMs: number): Promise<void>;
  /** What is there, for how long yet, in milliseconds, and whether it was used. */
  get(key: string): Promise<{ text: string; leftMs: number; isUsed: boolean } | undefined>;
  /** Uses what is there. False: it was used before, or is not there. */
  use(key: string): Promise<boolean>;
  drop(key: string): Promise<void>;
  /** The secrets of the provider, as one text; blank: none were made yet. */
  secrets(): Promise<string>;
  /** Replaces them, unless somebody else was quicker: false. They stay until they are replaced again. */
  replaceSecrets(before: string, after: string): Promise<boolean>;
}
