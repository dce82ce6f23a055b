import type { ServiceSettings } from "../../client/types.ts";
import { BASE } from "../service/service.ts";

/** The owner's title and logo. */
export function Title({ title, logo }: Pick<ServiceSettings, "title" | "logo">) {
  return (
    <h1>
      {logo !== undefined && (
        // The title beside it says the same. An image without words takes no room until it is there, so that the box keeps it.
        <span class="logo">
          <img
            src={`${BASE}${logo}`}
            alt=""
            onError={({ currentTarget }) => {
              currentTarget.hidden = true;
            }}
          />
        </span>
      )}
      <span>{title}</span>
    </h1>
  );
}
