// Decides which touches are answers. Pure: times and positions come in as arguments, so that tests can replay accidents.

/** The shortest touch that counts, in milliseconds. A wet or faulty display reports touches of no length. */
export const SHORTEST = 60;
/** The time after a new screen in which no touch counts, in milliseconds: the finger was meant for the screen before. */
export const GRACE = 700;

/**
 * @typedef {object} Point A finger or a pointer.
 * @property {number} id
 * @property {number} time in milliseconds
 * @property {string | null} target the answer under the point; null if there is none
 * @property {boolean} onThumb true if the point is on the thumb of the track
 * @property {boolean} onTrack true if the point is on the track
 */

export class Press {
  /** @type {Map<number, Point>} the points that touch the display now, each as it came down */
  #down = new Map();
  #isSpoiled = false;
  #screenSince = -Infinity;

  /**
   * A new screen appeared: no touch that is in progress counts.
   * @param {number} time
   */
  newScreen(time) {
    this.#screenSince = time;
    if (this.#down.size > 0) this.#isSpoiled = true;
  }

  /**
   * @param {Point} point
   * @returns {string | null} the answer that the page shows as pressed
   */
  down(point) {
    this.#down.set(point.id, point);
    const isEarly = point.time - this.#screenSince < GRACE;
    if (this.#down.size > 1 || isEarly) this.#isSpoiled = true;
    return this.#isSpoiled ? null : point.target;
  }

  /**
   * A tap answers if the finger comes up where it came down. A slide answers if it began on the thumb and ended at an end.
   * @param {Point} point
   * @returns {string | null} the answer; null if the touch does not count
   */
  up(point) {
    const start = this.#down.get(point.id);
    this.#down.delete(point.id);
    const isSpoiled = this.#isSpoiled;
    if (this.#down.size === 0) this.#isSpoiled = false;
    if (!start || isSpoiled || point.target === null) return null;
    if (point.time - start.time < SHORTEST) return null;
    return start.onThumb && point.onTrack || start.target === point.target ? point.target : null;
  }

  /**
   * The browser took the touch away.
   * @param {number} id
   */
  cancel(id) {
    this.#down.delete(id);
    this.#isSpoiled = this.#down.size > 0;
  }

  /**
   * True if the finger with this id slides the thumb.
   * @param {number} id
   */
  isSliding(id) {
    return !this.#isSpoiled && this.#down.get(id)?.onThumb === true;
  }
}
