// What is thrown where a question is not answered as asked.

/** A refusal, in the words of who refuses. */
export class ApiError extends Error {
  /**
   * @param {number} status as HTTP has them; 0 where nobody answered
   * @param {string} sentence
   */
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}
