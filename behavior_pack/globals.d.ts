/** Globals of the game's script engine that this pack uses, besides the language itself. */
declare const console: {
  warn(text: string): void;
  info(text: string): void;
};
