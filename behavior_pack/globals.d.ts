/** What the script engine of the game gives besides the language itself, as far as this pack uses it. */
declare const console: {
  warn(text: string): void;
  info(text: string): void;
};
