/**
 * Everything that the resource pack takes from the game's own interface. Looked up in Mojang/bedrock-samples, folder
 * resource_pack: ui/server_form.json at 1fd999b2, ui/ui_template_dialogs.json at 16f15af9, ui/chest_screen.json and
 * ui/ui_common.json as of 2025, textures by their files. When an update of the game breaks the chest, look here first.
 */
export const VANILLA = {
  controls: [
    "common.button",
    "common_dialogs.main_panel_no_buttons",
    "common_dialogs.standard_title_label",
    "server_form.long_form_panel",
  ],
  /** variables that the controls above read, and one that every screen has */
  variables: [
    "$button_tts_header",
    "$child_control",
    "$main_header_text_color",
    "$pressed_button_name",
    "$text_name",
    "$title_max_size",
    "$title_panel",
    "$title_size",
    "$title_text_binding_type",
  ],
  /** values of a form, and properties of controls that bindings set */
  bindings: [
    "#enabled",
    "#focus_enabled",
    "#form_button_text",
    "#form_button_texture",
    "#form_button_texture_file_system",
    "#form_text",
    "#hover_text",
    "#texture",
    "#texture_file_system",
    "#title_text",
    "#visible",
  ],
  /** properties of a control, as in the game's own files */
  properties: [
    "allow_clipping",
    "anchor_from",
    "anchor_to",
    "bindings",
    "collection_name",
    "color",
    "controls",
    "grid_dimensions",
    "grid_item_template",
    "layer",
    "offset",
    "renderer",
    "size",
    "text",
    "texture",
    "type",
  ],
  collections: ["form_buttons"],
  buttons: ["button.form_button_click"],
  renderers: ["hover_text_renderer"],
  textures: ["textures/ui/cell_image", "textures/ui/highlight_slot"],
  /** icons that the script names */
  icons: [
    "textures/blocks/wool_colored_green",
    "textures/blocks/wool_colored_lime",
    "textures/blocks/wool_colored_red",
    "textures/items/paper",
  ],
} as const;
