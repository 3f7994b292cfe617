// The sign that the server cannot be reached.

/** @param {boolean} connected */
export function showConnection(connected) {
  const sign = document.getElementById("connection");
  if (sign) sign.hidden = connected;
}
