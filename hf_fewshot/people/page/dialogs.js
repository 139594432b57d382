// The dialogs: keys, and who one is here.

const byId = (id) => document.getElementById(id);

/** Whether somebody looks at a dialog. */
export const isOpen = () => document.querySelector("dialog[open]") !== null;

export function openKeys() {
  byId("keys").showModal();
}

/** @param forget is called when this browser must not know the annotator any more. */
export function startDialogs(identity, forget) {
  byId("open-keys").addEventListener("click", openKeys);
  byId("open-you").addEventListener("click", () => {
    byId("link").value = identity.link;
    byId("copy-link").textContent = "Copy";
    byId("you").showModal();
  });
  byId("copy-link").addEventListener("click", async () => {
    byId("link").select();
    // Browsers copy on safe origins alone; elsewhere the link is selected.
    await navigator.clipboard?.writeText(byId("link").value);
    byId("copy-link").textContent = navigator.clipboard ? "Copied" : "Press Ctrl C";
  });
  byId("forget").addEventListener("click", () => {
    byId("you").close();
    forget();
  });
}

/** Shows who answers; nobody yet without a state. */
export function showYou(state) {
  byId("open-you").hidden = !state;
  if (!state) return;
  byId("open-you").textContent = state.name;
  byId("you-title").textContent = `${state.name}, annotator ${state.number}`;
}
