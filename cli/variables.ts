/** Tells setup and doctor how the sidecar is run, so that their advice fits. */
export const RUN_BY = "WEB_BRIDGE_RUN_BY";

/** Names the configuration for all programs of a container, where none is named on the command line. */
export const CONFIG_FILE = "WEB_BRIDGE_CONFIG";
