/** Where the page is: the hash, split. #/chat/ID, #/memory, … */
class Route {
  parts = $state.raw<string[]>(read());

  constructor() {
    window.addEventListener("hashchange", () => (this.parts = read()));
  }

  get panel(): string {
    return this.parts[0] || "chat";
  }
  get id(): string {
    return this.parts[1] ?? "";
  }

  go(...parts: string[]): void {
    location.hash = `#/${parts.map(encodeURIComponent).join("/")}`;
  }

  /** Without a step in the history. */
  replace(...parts: string[]): void {
    history.replaceState(null, "", `#/${parts.map(encodeURIComponent).join("/")}`);
    this.parts = parts;
  }
}

function read(): string[] {
  return location.hash.replace(/^#\/?/, "").split("/").map(decode);
}

function decode(s: string): string {
  try {
    return decodeURIComponent(s);
  } catch {
    return s; // somebody typed it
  }
}

export const route = new Route();
