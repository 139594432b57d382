// Who answers here: the token of an annotator and the key of the study, from the link or from the last visit.

// What a header can carry.
const TOKEN = /^[\x21-\x7e]{1,512}$/;

export class Identity {
  constructor() {
    const address = new URL(location.href);
    const key = address.searchParams.get("key");
    if (key && TOKEN.test(key)) sessionStorage.setItem("access-key", key);
    this.key = sessionStorage.getItem("access-key");
    const linked = new URLSearchParams(address.hash.slice(1)).get("annotator");
    this.linked = linked && TOKEN.test(linked) ? linked : null;
    this.token = null;
    address.searchParams.delete("key");
    address.hash = "";
    history.replaceState(null, "", address.pathname + address.search);
  }

  /** Reads who this browser is in a study; a personal link has the first word, then what this tab was before. */
  recognise(study) {
    this.place = `annotator of ${study}`;
    this.token = this.linked ?? sessionStorage.getItem(this.place) ?? localStorage.getItem(this.place);
    if (this.token) this.remember(this.token);
  }

  remember(token) {
    this.token = token;
    sessionStorage.setItem(this.place, token);
    localStorage.setItem(this.place, token);
  }

  forget() {
    this.token = null;
    sessionStorage.removeItem(this.place);
    localStorage.removeItem(this.place);
  }

  /** The personal link, with which one goes on elsewhere. */
  get link() {
    const link = new URL(location.pathname, location.href);
    if (this.key) link.searchParams.set("key", this.key);
    link.hash = `annotator=${this.token}`;
    return link.href;
  }

  get headers() {
    return {
      ...(this.token && { "X-Annotator": this.token }),
      ...(this.key && { "X-Access-Key": this.key }),
    };
  }
}
