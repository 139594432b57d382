"""Gradio's components in the colours of the report, which are light or dark by themselves."""

import inspect

import gradio as gr

# System fonts: the page needs nothing from other servers.
FONT = ["system-ui", "Segoe UI", "Roboto", "Noto Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC"]
MONO = ["ui-monospace", "Consolas", "monospace"]
COLOURS = {
    "body_background_fill": "var(--ground)",
    "body_text_color": "var(--ink)",
    "body_text_color_subdued": "var(--soft)",
    "background_fill_primary": "var(--ground)",
    "background_fill_secondary": "var(--raised)",
    "block_background_fill": "transparent",
    "block_label_background_fill": "transparent",
    "block_label_text_color": "var(--ink)",
    "block_title_text_color": "var(--ink)",
    "block_info_text_color": "var(--soft)",
    "border_color_primary": "var(--rule)",
    "border_color_accent": "var(--accent)",
    "color_accent": "var(--accent)",
    "color_accent_soft": "var(--raised)",
    "input_background_fill": "var(--ground)",
    "input_border_color": "var(--rule)",
    "input_border_color_focus": "var(--accent)",
    "input_placeholder_color": "var(--soft)",
    "button_secondary_background_fill": "var(--raised)",
    "button_secondary_background_fill_hover": "var(--rule)",
    "button_secondary_text_color": "var(--ink)",
    "button_secondary_border_color": "var(--rule)",
    "checkbox_background_color": "var(--ground)",
    "checkbox_background_color_selected": "var(--accent)",
    "checkbox_border_color": "var(--soft)",
    "checkbox_border_color_selected": "var(--accent)",
    "checkbox_label_background_fill": "transparent",
    "checkbox_label_text_color": "var(--ink)",
    "link_text_color": "var(--accent)",
}


def theme() -> gr.themes.Base:
    """A theme in which every colour of ours is that of dark mode as well."""
    found = gr.themes.Base(font=FONT, font_mono=MONO, text_size="lg")
    known = inspect.signature(found.set).parameters
    dark = {f"{name}_dark": colour for name, colour in COLOURS.items() if f"{name}_dark" in known}
    return found.set(**COLOURS, **dark, block_border_width="0px", input_border_width="1px", input_radius="8px")
