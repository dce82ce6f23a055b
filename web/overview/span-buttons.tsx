import type { HistorySpan } from "../../client/index.ts";
import { SPANS } from "../platform/address.ts";
import { texts } from "../platform/texts.ts";

/** Which span of time the plots below show, and the way to another one. */
export function SpanButtons({ span, onSpan }: { span: HistorySpan; onSpan(span: HistorySpan): void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is sent, and draws a frame
    <div class="spans" role="group" aria-label={texts.period}>
      {SPANS.map(one => (
        <button key={one} type="button" aria-pressed={one === span} onClick={() => onSpan(one)}>
          {texts.spans[one]}
        </button>
      ))}
    </div>
  );
}
