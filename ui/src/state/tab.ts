/** What this tab keeps when it is loaded anew, and forgets when it is closed. */

export function kept<T>(key: string): Partial<T> {
  try {
    return JSON.parse(sessionStorage.getItem(`moothall.${key}`) ?? "{}") as Partial<T>;
  } catch {
    return {};
  }
}

/** Keeps a value; without one, what was kept is forgotten. */
export function keep(key: string, value?: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(`moothall.${key}`);
    else sessionStorage.setItem(`moothall.${key}`, JSON.stringify(value));
  } catch {
    // storage is full or switched off: it holds until the page is loaded anew
  }
}
