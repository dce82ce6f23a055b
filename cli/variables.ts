/** How the sidecar is run, for the advice of setup and doctor. */
export const RUN_BY = "WEB_BRIDGE_RUN_BY";

/** The default configuration of all programs in a container. */
export const CONFIG_FILE = "WEB_BRIDGE_CONFIG";
