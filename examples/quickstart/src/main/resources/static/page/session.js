// The login of this page.
//
// Its tokens are in two private fields and nowhere else. localStorage, sessionStorage and IndexedDB can be read by every script of this origin
// for as long as the tokens live, so one hole in one script would give all of them away, also those of yesterday. What is in memory ends
// with the page, and a page that is loaded again asks for the password again.

/** Tells of each change by an event "change", whose detail is one of: login, refresh, over (the access token is worthless), end. */
export class Session extends EventTarget {
  #access = '';
  #refresh = '';
  #lifetime = 0;
  #began = 0;
  #isOver = false;

  /** Takes the answer to a login or to a refresh. */
  take(fields, what) {
    this.#access = fields.access_token;
    this.#refresh = fields.refresh_token ?? '';
    this.#lifetime = fields.expires_in;
    this.#began = performance.now();
    this.#isOver = false;
    this.#tell(what);
  }

  get isThere() {
    return this.#access !== '';
  }

  /** Whether the service may be expected to accept the access token. */
  get isLive() {
    return this.isThere && !this.#isOver && this.secondsLeft > 0;
  }

  get accessToken() {
    return this.#access;
  }

  get refreshToken() {
    return this.#refresh;
  }

  get lifetime() {
    return this.#lifetime;
  }

  /** Counted from the answer, and not from "exp": the clock of the browser's machine may be wrong. */
  get secondsLeft() {
    return Math.max(0, this.#lifetime - (performance.now() - this.#began) / 1000);
  }

  get isOver() {
    return this.#isOver;
  }

  /** The time of this access token is over, or the service has refused it; a refresh may still do. */
  end(token) {
    // A late answer to an earlier token says nothing about the present one.
    if (token === this.#access && !this.#isOver && this.isThere) {
      this.#isOver = true;
      this.#tell('over');
    }
  }

  /** Forgets both tokens. */
  forget() {
    this.#access = '';
    this.#refresh = '';
    this.#tell('end');
  }

  #tell(what) {
    this.dispatchEvent(new CustomEvent('change', { detail: what }));
  }
}
