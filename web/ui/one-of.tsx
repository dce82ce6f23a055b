/** One of several texts, with room for the longest: what stands beside it never moves. */
export function OneOf({ texts, shown }: { texts: readonly string[]; shown: string }) {
  return (
    <span class="one-of">
      {texts.map(text => (
        <span key={text} class={text === shown ? "" : "other"}>
          {text}
        </span>
      ))}
    </span>
  );
}
