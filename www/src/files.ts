/** Where files come from (chosen, dropped, bundled) and where the result goes. */
import { byId, el } from "./dom.js";

export function takeFiles(onFile: (file: File) => void): void {
  const input = byId<HTMLInputElement>("file");
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) onFile(file);
    input.value = ""; // so that the same file may be chosen again
  });

  let inside = 0;
  const hovering = (): boolean => document.body.classList.toggle("hovering", inside > 0);
  document.addEventListener("dragenter", (event) => {
    if (event.dataTransfer?.types.includes("Files")) inside++;
    hovering();
  });
  document.addEventListener("dragleave", () => {
    inside = Math.max(0, inside - 1);
    hovering();
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    inside = 0;
    hovering();
    const file = event.dataTransfer?.files[0];
    if (file) onFile(file);
  });
}

/** The session that comes with the page. */
export async function bundledFile(): Promise<File> {
  const response = await fetch(new URL("sessions/shop.json", document.baseURI));
  if (!response.ok) throw new Error(`The bundled session is not there (${response.status}). "npm start" puts it beside the page.`);
  return new File([await response.blob()], "shop.json");
}

export function download(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
