import { useEffect, useState } from "preact/hooks";

let tell: (text: string) => void = () => undefined;

/** Says something to screen readers, without moving the focus. */
export const announce = (text: string): void => tell(text);

/** Where announcements are heard. Once on the page. */
export function Announcer() {
  const [text, setText] = useState("");
  useEffect(() => {
    tell = setText;
  }, []);
  return (
    <div class="sr" role="status" aria-live="polite">
      {text}
    </div>
  );
}
