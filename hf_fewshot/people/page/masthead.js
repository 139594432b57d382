// The head of the page: which study, how far, and what keeps it from going on.

import { say } from "./element.js";

const byId = (id) => document.getElementById(id);

export function showTitle(title) {
  byId("title").textContent = title;
  document.title = title;
}

/** How far this step of this episode is; nothing outside of steps. */
export function showProgress(state) {
  const inStep = state?.step === "training" || state?.step === "annotation";
  byId("progress").hidden = !inStep;
  if (!inStep) return;
  const { step_done: done, step_total: total } = state.progress;
  byId("bar").max = total;
  byId("bar").value = done;
  byId("where").textContent = [`${done} of ${total} done`, ...episodeOf(state)].join(" · ");
}

/** Which episode, where there are several. */
export function episodeOf({ progress }) {
  return progress.episodes > 1 ? [`episode ${progress.episode} of ${progress.episodes}`] : [];
}

/** Which question of which step. */
export function placeOf(state) {
  const { step_done: done, step_total: total } = state.progress;
  const place = `${done + 1} of ${total}`;
  return state.step === "training" ? `Example ${place}` : `Question ${place}`;
}

/** A word that stays until it is taken away by an empty one; `again` is what "Try now" does. */
export function notice(words, again = null) {
  byId("notice").hidden = !words;
  byId("notice").classList.toggle("waits", Boolean(again));
  byId("notice-words").textContent = words;
  byId("try-now").hidden = !again;
  byId("try-now").onclick = again;
  if (!words) say("");
}
