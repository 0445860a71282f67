/** The time, as what says how long ago something was needs it: what is drawn with it is drawn anew as it goes on. */
class Minute {
  now = $state(Date.now());

  constructor() {
    setInterval(() => (this.now = Date.now()), 30_000);
  }
}

export const minute = new Minute();
