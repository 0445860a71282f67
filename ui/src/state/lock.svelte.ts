/**
 * The token of a hall that wants one. It is kept in the session storage of
 * this tab: that belongs to this origin with its port, whereas a cookie would
 * also be sent to every other server on the same host. It goes with requests
 * as a header, never in an address.
 */
const key = "moothall.token";

function stored(): string {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

class Lock {
  /** The hall refused: a token is needed, or another one. */
  closed = $state(false);
  #token = stored();

  get token(): string {
    return this.#token;
  }

  open(token: string): void {
    this.#token = token;
    this.closed = false;
    try {
      sessionStorage.setItem(key, token);
    } catch {
      // storage is switched off: it holds until the page is loaded anew
    }
  }

  /** Forgets the token. */
  shut(): void {
    this.#token = "";
    this.closed = true;
    try {
      sessionStorage.removeItem(key);
    } catch {
      // it was never there
    }
  }
}

export const lock = new Lock();
