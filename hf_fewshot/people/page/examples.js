// Support examples that were learnt, to be looked at: all, or those of a class.

import { element } from "./element.js";
import { Form } from "./form.js";
import { Parts } from "./parts.js";

const PLACE = "examples are open";

export class Examples {
  #shown;

  /** @param node the panel; @param examples `{item, answer}`. */
  constructor(node, examples) {
    this.node = node;
    this.#shown = examples.map(({ item, answer }) => {
      const form = new Form(item);
      const label = answer.label === null ? null : form.shownOption(answer.label);
      const types = answer.marks.map((mark) => mark.label).filter((type) => type !== null);
      return { form, answer, label, classes: new Set([label, ...types].filter((name) => name !== null)) };
    });
    this.#shown.sort((a, b) => (a.label ?? "").localeCompare(b.label ?? ""));
    node.hidden = !examples.length;
    if (examples.length) node.replaceChildren(this.#panel());
  }

  #panel() {
    this.list = element("ol", {});
    // Beside the question there is room; below it they open on demand.
    const kept = sessionStorage.getItem(PLACE) ?? String(matchMedia("(min-width: 70rem)").matches);
    const panel = element(
      "details",
      { open: kept === "true", ontoggle: () => sessionStorage.setItem(PLACE, String(panel.open)) },
      element("summary", {}, "Examples ", element("span", { class: "count" }, String(this.#shown.length))),
      this.#choice(),
      this.list,
    );
    this.#fill();
    return panel;
  }

  #choice() {
    const names = [...new Set(this.#shown.flatMap((one) => [...one.classes]))].sort((a, b) => a.localeCompare(b));
    if (names.length < 2) return null;
    const options = names.map((name) => element("option", { value: name }, name));
    const select = element("select", { "aria-label": "Examples of", onchange: () => this.#fill(select.selectedIndex ? select.value : null) });
    select.append(element("option", {}, "of all classes"), ...options);
    return select;
  }

  #fill(only = null) {
    const shown = this.#shown.filter((one) => only === null || one.classes.has(only));
    this.list.replaceChildren(...shown.map((one) => this.#example(one)));
  }

  #example({ form, answer, label }) {
    const parts = new Parts(form);
    const name = label === null ? null : element("p", { class: "label" }, element("span", { class: "class" }, label));
    return element("li", {}, name, element("div", { class: "parts" }, parts.folded(answer.marks)), this.#answers(form, answer));
  }

  /** Plain answers in words, since their texts may be folded. */
  #answers(form, answer) {
    const { marks } = answer;
    if (!form.item.marks || (marks.length && !form.plain)) return null;
    const nowhere = form.nowhere(answer);
    const words = form.plain ? "no answer" : `nothing: ${form.item.marks.title}`;
    if (!marks.length) return nowhere ?? element("p", { class: "none" }, words);
    const list = element("ul", { class: "answers" }, marks.map((mark) => element("li", {}, element("mark", { class: "c1" }, form.textOf(mark)))));
    return nowhere ? element("div", {}, list, nowhere) : list;
  }
}
