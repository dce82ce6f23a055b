/** The trial cannot be made. One line for each reason, with what mends it; exit code 2. */
export class CannotRun extends Error {
  override readonly name = "CannotRun";
  readonly lines: readonly string[];

  constructor(...lines: string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}
