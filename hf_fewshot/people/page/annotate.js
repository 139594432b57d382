// The page: one step after another, as the server says.

import { Comparison } from "./comparison.js";
import { isOpen, openKeys, showYou, startDialogs } from "./dialogs.js";
import { Draft } from "./draft.js";
import { say } from "./element.js";
import { Examples } from "./examples.js";
import { Identity } from "./identity.js";
import { notice, placeOf, showProgress, showTitle } from "./masthead.js";
import { Question } from "./question.js";
import { Away, Refusal, Server } from "./server.js";
import { doneSheet, joinSheet, startSheet } from "./sheets.js";
import { Stopwatch } from "./stopwatch.js";

const main = document.getElementById("main");
const identity = new Identity();
const server = new Server(identity, waiting);
let study = null;
let draft = null;
let state = null;
let question = null;
let watch = null;
let undo = null; // of the step that is shown
let saved = ""; // what became of the last answer

function waiting(reason, seconds, again) {
  if (!reason) return notice("");
  const unsaved = draft?.answer?.sent ? "Your last answer is not saved yet. It is kept in this tab. " : "";
  return notice(`${unsaved}${reason}. Trying again in ${seconds} s.`, again);
}

/** Shows a sheet or a question from its top, with the keyboard where it goes on. */
function lay(node, focused) {
  main.replaceChildren(node);
  window.scrollTo(0, 0);
  (focused ?? node.querySelector(".primary"))?.focus({ preventScroll: true });
}

function show(next) {
  state = next;
  question = undo = null;
  watch?.end();
  watch = null;
  showYou(state);
  showProgress(state);
  if (draft.feedback) showFeedback(draft.feedback);
  else ({ start: showStart, training: showQuestion, annotation: showQuestion, done: showDone })[state.step]();
}

function showJoin(problem = "") {
  state = draft = question = undo = null;
  showYou(null);
  showProgress(null);
  const node = joinSheet(study, join, problem);
  lay(node, node.querySelector("input"));
}

/** Joins with a name; says what keeps one from it. */
async function join(name) {
  try {
    identity.remember((await server.ask("api/annotators", { name })).annotator);
  } catch (error) {
    if (error.status === 409) return "Somebody has this name. If that is you, open your personal link; else take another name.";
    if (error instanceof Refusal || error instanceof Away) return `${error.message}${error instanceof Away ? ". Try again." : ""}`;
    throw error;
  }
  await enter();
  return null;
}

function showStart() {
  const node = startSheet(study, state);
  const begin = node.querySelector(".begin");
  begin.addEventListener("click", () => advance(begin, "api/begin"));
  offerUndo(node);
  lay(node, begin);
}

function showDone() {
  const node = doneSheet();
  offerUndo(node);
  lay(node);
  say("Thank you. All of your answers are saved.");
}

function offerUndo(node) {
  const button = node.querySelector(".undo");
  button.hidden = !state.can_undo;
  undo = state.can_undo ? () => advance(button, "api/undo") : null;
  button.addEventListener("click", () => undo?.());
}

/** Asks for another step. What was asked may have happened though the reply is lost, so then the state is read. */
async function advance(button, path) {
  if (button.disabled) return;
  button.disabled = true;
  try {
    draft.answer = null;
    show(await server.ask(path, {}));
  } catch (error) {
    await recover(error);
  }
}

/** Goes on after an error with what the server says. */
async function recover(error) {
  if (error instanceof Refusal && error.status === 401) return stranger(error);
  if (!(error instanceof Refusal || error instanceof Away)) throw error;
  const next = error.state ?? (await server.insist("api/state"));
  show(next);
  if (error instanceof Refusal) notice(error.state ? "This was answered before, perhaps in another tab. Here it goes on." : error.message);
  return null;
}

function stranger() {
  if (!identity.token) return closed();
  identity.forget();
  return showJoin("This study does not know you: your link may be of another study. Join with a name.");
}

function closed() {
  notice("This study needs its whole link, with the access key. Ask for it where you got the link from.");
  main.replaceChildren();
}

function showQuestion() {
  const kept = draft.answer?.item === state.item.id ? draft.answer : null;
  const begun = kept ?? { answer: state.answer, nothing: Boolean(state.answer && !state.answer.marks.length), seconds: 0 };
  question = new Question(state.item, begun, { changed: keep, send: () => send() });
  question.node.querySelector("h1").textContent = placeOf(state);
  question.node.querySelector(".state").textContent = saved;
  new Examples(question.node.querySelector(".examples"), state.examples);
  watch = new Stopwatch(begun.seconds);
  offerUndo(question.node);
  lay(question.node);
  question.focus();
  say(`${saved} ${placeOf(state)}`);
}

/** Keeps what is answered so far. */
function keep() {
  if (!question || draft.answer?.sent) return;
  draft.answer = { item: state.item.id, answer: question.answer, nothing: question.nothing, seconds: watch.seconds };
}

async function send() {
  if (draft.answer?.sent) return;
  watch.stop();
  keep();
  draft.answer = { ...draft.answer, sent: { item: state.item, place: placeOf(state) } };
  question.locked = true;
  question.node.querySelector(".state").textContent = "Saving ...";
  await deliver();
}

/** Brings an answer to the server's disk, however long it takes. */
async function deliver() {
  const { item: id, answer, seconds, sent } = draft.answer;
  try {
    const reply = await server.insist("api/answers", { item: id, answer, seconds });
    notice("");
    saved = "Saved.";
    draft.answer = null;
    if (reply.right) draft.feedback = { ...sent, answer, right: reply.right, matches: reply.matches };
    show(reply.state);
  } catch (error) {
    draft.answer = error instanceof Refusal && !error.state ? { ...draft.answer, sent: null } : null;
    await recover(error);
  }
}

function showFeedback({ item, place, answer, right, matches }) {
  const comparison = new Comparison(item, answer, right, matches);
  comparison.node.querySelector("h1").textContent = place;
  comparison.node.querySelector(".state").textContent = saved;
  comparison.node.querySelector(".continue").addEventListener("click", () => {
    draft.feedback = null;
    show(state);
  });
  lay(comparison.node);
  say(`${saved} ${comparison.node.querySelector(".verdict").textContent}`);
}

/** Reads where this annotator stands; an answer that was under way is brought home first. */
async function enter() {
  draft = new Draft(`${study.study} ${identity.token}`);
  try {
    if (draft.answer?.sent) await deliver();
    else show(await server.insist("api/state"));
  } catch (error) {
    await recover(error);
  }
}

async function open() {
  try {
    study = await server.insist("api/study");
  } catch (error) {
    if (error instanceof Refusal) return closed();
    throw error;
  }
  showTitle(study.title);
  identity.recognise(study.study);
  return identity.token ? enter() : showJoin();
}

function pressed(event) {
  const isTyped = event.target.matches("textarea, select, input:not([type=radio], [type=checkbox])");
  const isControl = event.target.closest("button, a, summary, label, input");
  if (isOpen() || event.defaultPrevented) return;
  if (event.key === "?" && !isTyped) openKeys();
  else if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !isTyped) question?.takeBack() || undo?.();
  else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) question?.submit();
  else if (event.ctrlKey || event.altKey || event.metaKey) return;
  else if (event.key === "Enter" && !isControl) question?.submit();
  else if (!isTyped && question?.digit(event.key)) return event.preventDefault();
  else return;
  event.preventDefault();
}

function fault(words) {
  notice(`Something went wrong on this page: ${words}. Reload it; what was saved is safe.`);
}

window.addEventListener("unhandledrejection", (event) => fault(event.reason?.message ?? event.reason));
window.addEventListener("error", (event) => fault(event.message));
window.addEventListener("pagehide", keep);
window.addEventListener("hashchange", () => location.reload());
document.addEventListener("visibilitychange", () => document.hidden && keep());
document.addEventListener("keydown", pressed);
startDialogs(identity, () => {
  identity.forget();
  showJoin();
});
open();
