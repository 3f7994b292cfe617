// Files for the person: text, pictures; the clipboard.

import { h, toast } from "./dom.js";

/**
 * @param {string} name
 * @param {Blob} blob
 */
export function saveBlob(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * @param {string} name
 * @param {string} text
 * @param {string} [type]
 */
export const saveText = (name, text, type = "text/plain") =>
  saveBlob(name, new Blob([text], { type: `${type};charset=utf-8` }));

/**
 * An SVG text as a PNG, at twice its size for sharp print.
 * @param {string} svgText
 * @param {number} width
 * @param {number} height
 * @returns {Promise<Blob>}
 */
export async function pngOfSvg(svgText, width, height) {
  const url = URL.createObjectURL(new Blob([svgText], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = width * 2;
    canvas.height = height * 2;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await pngOfCanvas(canvas);
  } finally {
    URL.revokeObjectURL(url);
  }
}

/**
 * @param {HTMLCanvasElement} canvas
 * @returns {Promise<Blob>}
 */
export function pngOfCanvas(canvas) {
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture could not be made."))), "image/png"),
  );
}

/**
 * @param {string} text
 * @returns {Promise<boolean>} whether it is in the clipboard
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** @param {string|null|undefined} title A file's name made from a title. */
export const fileName = (title) =>
  (title ?? "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "level";

/** Copies, and says what came of it. @param {string} text @param {string} words */
export const copied = async (text, words) =>
  toast((await copy(text)) ? words : "The browser does not let the page copy.");

/** Asks for a file. @param {(file: File) => void} take */
export function chooseFile(take) {
  const input = h("input", { type: "file", onchange: () => input.files?.[0] && take(input.files[0]) });
  input.click();
}
