import { file } from "../api/client";
import { saveBlob } from "../text/format";
import { hall } from "./hall.svelte";

/** Hands a file of the hall to the browser; a plain link could carry no token. */
export async function download(path: string, name: string): Promise<void> {
  try {
    saveBlob(name, await file(path));
  } catch (e) {
    hall.complain(e);
  }
}
