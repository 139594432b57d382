// The pages between questions: to join, before a step, and at the end.

import { fromTemplate, paragraphs } from "./element.js";
import { episodeOf } from "./masthead.js";

const some = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** The page on which a name is typed; `join(name)` gives a word of what is wrong, or nothing. */
export function joinSheet(study, join, problem) {
  const node = fromTemplate("join");
  node.querySelector("h1").textContent = study.title;
  node.querySelector(".description").replaceChildren(...paragraphs(study.description));
  node.querySelector(".facts").textContent = facts(study);
  node.querySelector(".closed").hidden = study.may_join;
  const words = node.querySelector(".problem");
  const tell = (text) => {
    words.hidden = !text;
    words.textContent = text ?? "";
  };
  tell(problem);
  const form = node.querySelector("form");
  form.hidden = !study.may_join;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const name = form.elements.name.value.trim();
    form.inert = true;
    const wrong = name ? await join(name) : "Type a name.";
    form.inert = false;
    if (!wrong) return;
    tell(wrong);
    form.elements.name.focus();
  });
  return node;
}

function facts(study) {
  const episodes = study.episodes > 1 ? ` in each of ${study.episodes} episodes` : "";
  const training = study.shots ? "First you answer examples and see the right answers. " : "";
  return `${training}Then come ${some(study.queries, "question")}${episodes}.`;
}

/** The page before training or annotation. */
export function startSheet(study, state) {
  const node = fromTemplate("start");
  const counts = state.next === "annotation";
  const many = state.progress.step_total;
  node.querySelector(".step").textContent = [counts ? "Annotation" : "Training", ...episodeOf(state)].join(" · ");
  node.querySelector("h1").textContent = counts && study.shots ? "Now your answers count" : study.title;
  node.querySelector(".description").replaceChildren(...paragraphs(state.description));
  node.querySelector(".what-next").textContent = counts
    ? `${some(many, "question")} to answer. The right answers are not shown. You can undo an answer as long as this part lasts.`
    : `${some(many, "example")} to learn from. After each you see the right answer; yours cannot be changed then.`;
  return node;
}

/** The page when nothing is left. */
export function doneSheet() {
  return fromTemplate("done");
}
