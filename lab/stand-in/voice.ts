import type { Course } from "./course.ts";

const PREFIX = /^\[[^\]]*\] /;
const CONTENT = "[Scripting]";

/** The console of a stand-in, as its course has it. */
export function createVoice(
  { hidesContent, contentLength, says = [], lateSeconds = 0 }: Course,
  write: (text: string) => void,
): { say(line: string): void; silence(): Promise<void> } {
  let last = Promise.resolve();
  return {
    say(line) {
      const stamp = PREFIX.exec(line)?.[0] ?? "";
      const rest = line.slice(stamp.length);
      const isContent = rest.startsWith(CONTENT);
      if (isContent && hidesContent) return;
      const changed = says.reduce((text, [from, to]) => text.replace(from, to), rest);
      const cut = isContent && contentLength !== undefined ? changed.slice(0, contentLength) : changed;
      const text = `${stamp}${cut}\n`;
      if (lateSeconds === 0) return write(text);
      const shown = new Promise<void>(resolve => {
        setTimeout(() => resolve(write(text)), lateSeconds * 1000);
      });
      last = last.then(() => shown);
    },
    silence: () => last,
  };
}
