// A line that moves to the left: the last values of one number, drawn as SVG, with its scale. Where there was no value the line has a gap.

import { element, svgElement } from './dom.js';

const WIDTH = 240;
const HEIGHT = 56;
/** Room for the line's own width at the top and at the bottom. */
const EDGE = 3;
const POINTS = 60;

const calm = matchMedia('(prefers-reduced-motion: reduce)');
/** Who wants little motion sees every fifth value drawn, with the four before it. */
const CALM_STEPS = 5;

export class Chart {
  #svg;
  #label;
  #least;
  #span;
  #top = element('span');
  #values = [];
  #steps = 0;
  #area = svgElement('path', { class: 'area' });
  #line = svgElement('path', { class: 'line' });
  #dot = svgElement('path', { class: 'dot' });

  /**
   * @param svg an empty element of the document
   * @param label what the numbers are
   * @param least the scale goes to this number at least, so that small changes of small numbers stay small
   * @param each how many seconds lie between two values
   */
  constructor(svg, label, least, each = 1) {
    this.#svg = svg;
    this.#label = label;
    this.#least = least;
    this.#span = `${POINTS * each} s`;
    svg.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
    // The card says how wide it is, and the strokes do not stretch with it.
    svg.setAttribute('preserveAspectRatio', 'none');
    svg.setAttribute('role', 'img');
    svg.replaceChildren(this.#area, this.#line, this.#dot);
    // Text in the picture would stretch with it. A screen reader has the label, which says the same.
    svg.before(element('p', { class: 'scale', 'aria-hidden': 'true' }, this.#top));
    svg.after(element('p', { class: 'scale', 'aria-hidden': 'true' },
      element('span', {}, `${this.#span} ago`), element('span', {}, '0, now')));
    this.#draw();
  }

  /** @param value a number, or null where there is none: the line has a gap there */
  push(value) {
    this.#values.push(value);
    if (this.#values.length > POINTS) {
      this.#values.shift();
    }
    this.#steps += 1;
    if (!calm.matches || this.#steps % CALM_STEPS === 0) {
      this.#draw();
    }
  }

  clear() {
    this.#values = [];
    this.#draw();
  }

  #draw() {
    const highest = Math.max(0, ...this.#values);
    const top = roundedUp(Math.max(this.#least, highest));
    const pieces = this.#pieces(top);
    this.#line.setAttribute('d', pieces.map((points) => `M${points.join('L')}h0`).join(''));
    this.#area.setAttribute('d', pieces.map((points) => `M${points.join('L')}V${HEIGHT}H${points[0].split(' ')[0]}Z`).join(''));
    const now = this.#values.at(-1) ?? null;
    // A line of no length with round ends, which is a dot however the picture is stretched.
    this.#dot.setAttribute('d', now === null ? '' : `M${pieces.at(-1).at(-1)}h0`);
    this.#top.textContent = shown(top);
    this.#svg.setAttribute('aria-label',
      `${this.#label}: now ${now === null ? 'none' : shown(now)}, at most ${shown(highest)} in the last ${this.#span}`);
  }

  /** The points of each stretch without a gap. */
  #pieces(top) {
    const first = POINTS - this.#values.length;
    const pieces = [];
    let piece = null;
    this.#values.forEach((value, index) => {
      if (value === null) {
        piece = null;
        return;
      }
      if (piece === null) {
        piece = [];
        pieces.push(piece);
      }
      const x = ((first + index) / (POINTS - 1)) * WIDTH;
      const y = HEIGHT - EDGE - (value / top) * (HEIGHT - 2 * EDGE);
      piece.push(`${x.toFixed(1)} ${y.toFixed(1)}`);
    });
    return pieces;
  }
}

/** The next one of 1, 2, 5, 10, 20, 50 …, so that the scale changes seldom. */
export function roundedUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((each) => value <= each * power * (1 + 1e-9));
  return step * power;
}

/** A number in few characters. */
export function shown(value) {
  if (value >= 10_000) {
    return `${(value / 1000).toFixed(1)} k`;
  }
  return value >= 10 || Number.isInteger(value) ? String(Math.round(value)) : value.toFixed(1);
}
