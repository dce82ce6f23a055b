import type { ServiceSettings } from "../../client/types.ts";
import { BASE } from "../service/service.ts";

export const Title = ({ title, logo }: Pick<ServiceSettings, "title" | "logo">) => (
  <h1>
    {logo !== undefined && (
      // The title beside it is its text. Without an `alt` text the image takes no room before it has loaded, and the box keeps it.
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
