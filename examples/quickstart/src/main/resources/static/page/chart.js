// A line that moves to the left: the last values of one number, drawn as SVG.

import { svgElement } from './dom.js';

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
  #values = [];
  #steps = 0;
  #area = svgElement('path', { class: 'area' });
  #line = svgElement('path', { class: 'line' });
  #dot = svgElement('path', { class: 'dot' });

  /**
   * @param svg an empty element of the document
   * @param label what the numbers are
   * @param least the scale goes to this number at least, so that small changes of small numbers stay small
   */
  constructor(svg, label, least) {
    this.#svg = svg;
    this.#label = label;
    this.#least = least;
    svg.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
    // The card says how wide it is, and the strokes do not stretch with it.
    svg.setAttribute('preserveAspectRatio', 'none');
    svg.setAttribute('role', 'img');
    svg.replaceChildren(this.#area, this.#line, this.#dot);
    this.#draw();
  }

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
    const first = POINTS - this.#values.length;
    const points = this.#values.map((value, index) => {
      const x = ((first + index) / (POINTS - 1)) * WIDTH;
      const y = HEIGHT - EDGE - (value / top) * (HEIGHT - 2 * EDGE);
      return `${x.toFixed(1)} ${y.toFixed(1)}`;
    });
    const line = points.length > 0 ? `M${points.join('L')}` : '';
    this.#line.setAttribute('d', line);
    this.#area.setAttribute('d', line && `${line}V${HEIGHT}H${points[0].split(' ')[0]}Z`);
    // A line of no length with round ends, which is a dot however the picture is stretched.
    this.#dot.setAttribute('d', points.length > 0 ? `M${points.at(-1)}h0` : '');
    const now = this.#values.at(-1) ?? 0;
    this.#svg.setAttribute('aria-label', `${this.#label}: now ${shown(now)}, at most ${shown(highest)} in the last minute`);
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
