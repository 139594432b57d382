// Elements. Text is always text: nothing here reads markup.

/** An element with attributes, handlers (`onclick`) and children; strings become text. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** A copy of what a template of the page holds. */
export function fromTemplate(id) {
  return document.getElementById(id).content.firstElementChild.cloneNode(true);
}

/** Paragraphs of a plain text: blank lines part them, single line breaks stay. */
export function paragraphs(text) {
  return text.split(/\n\s*\n/).filter((one) => one.trim()).map((one) => element("p", {}, one.trim()));
}

/** Tells those who listen to the page instead of looking at it. */
export function say(text) {
  document.getElementById("said").textContent = text;
}
