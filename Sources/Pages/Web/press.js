// Decides which touches are answers. All times and positions are arguments, so that tests can replay accidental touches.

/** The minimum length of a touch, in milliseconds. A wet or faulty display reports touches of 0 ms. */
export const SHORTEST = 60;
/** The time after a new screen in which no touch counts, in milliseconds: the person meant the previous screen. */
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
  /** @type {Map<number, Point>} the points that touch the display now, with the values from the begin of each touch */
  #down = new Map();
  #isSpoiled = false;
  #screenSince = -Infinity;

  /**
   * Handles a new screen. A touch that began before the new screen does not count.
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
   * A tap is an answer if it begins and ends on the same answer. A slide is an answer if it begins on the thumb and ends
   * on an end of the track.
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
   * Handles a touch that the browser cancelled.
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
