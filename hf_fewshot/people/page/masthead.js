// The head of the page: which study, how far, and what keeps it from going on.

import { say } from "./element.js";

const byId = (id) => document.getElementById(id);

export function showTitle(title) {
  byId("title").textContent = title;
  document.title = title;
}

/** How far the training of this episode is, or all questions are; nothing outside of steps. */
export function showProgress(state) {
  const noun = { training: "examples", annotation: "questions" }[state?.step];
  byId("progress").hidden = !noun;
  if (!noun) return;
  const { step_done, step_total, done, total } = state.progress;
  const [now, all] = noun === "examples" ? [step_done, step_total] : [done, total];
  byId("bar").max = all;
  byId("bar").value = now;
  byId("where").textContent = [`${now} of ${all} ${noun}`, ...episodeOf(state)].join(" · ");
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
