/** What the person chose for this browser. Nothing here is needed to work. */
type Theme = "system" | "light" | "dark";

function stored(key: string): string {
  try {
    return localStorage.getItem(`moothall.${key}`) ?? "";
  } catch {
    return "";
  }
}

function store(key: string, value: string): void {
  try {
    if (value) localStorage.setItem(`moothall.${key}`, value);
    else localStorage.removeItem(`moothall.${key}`);
  } catch {
    // storage is switched off: it holds until the page is closed
  }
}

class Prefs {
  theme = $state<Theme>((stored("theme") as Theme) || "system");
  welcomed = $state(stored("welcomed") === "yes");
  side = $state(stored("side") === "open");

  setTheme(t: Theme): void {
    this.theme = t;
    store("theme", t === "system" ? "" : t);
    if (t === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = t;
  }

  setWelcomed(): void {
    this.welcomed = true;
    store("welcomed", "yes");
  }

  setSide(open: boolean): void {
    this.side = open;
    store("side", open ? "open" : "");
  }
}

export const prefs = new Prefs();
