// What the node counts, once a second: one request of all numbers, shown as totals and as lines of the last minute.

import { counts } from './api.js';
import { Chart, shown } from './chart.js';
import { byId, element, svgElement } from './dom.js';

const EACH_MILLIS = 1_000;

/** The line is how much was added in a second, unless the tile says that it is the number itself. */
const TILES = [
  { name: 'cacheHits', title: 'Answered from the cache', note: 'passwords that cost no hash', colour: 'sea' },
  { name: 'hashes', title: 'Hashes computed', note: 'first logins, and wrong passwords', colour: 'brass' },
  { name: 'secondsSaved', title: 'Time saved', note: 'what the hits would have hashed', colour: 'sea', unit: 's', isLevel: true },
  { name: 'tokensChecked', title: 'Tokens checked', note: 'a MAC each', colour: 'sea' },
  { name: 'refusedByLimits', title: 'Refused by a limit', note: '429, before any hash', colour: 'alarm' },
  { name: 'refusedForLoad', title: 'Refused for load', note: '503, no core was free in time', colour: 'alarm' },
  { name: 'refusalsHeld', title: 'Refusals on hold', note: 'told late, without a thread', colour: 'alarm', isLevel: true },
  { name: 'hashQueue', title: 'Hashes in the queue', note: 'computed or waiting now', colour: 'brass', isLevel: true },
];

/** Polls while there is a good token and somebody looks. */
export function startNode(session) {
  const tiles = TILES.map(tile);
  byId('tiles').replaceChildren(...tiles.map(({ item }) => item));
  let before = null;

  async function look() {
    if (session.isLive && !document.hidden) {
      const token = session.accessToken;
      const answer = await counts(token);
      if (answer.status === 200 && token === session.accessToken) {
        const now = { ...answer.fields, at: performance.now() };
        tiles.forEach(({ show }) => show(now, before));
        before = now;
      } else if (answer.status === 401) {
        session.end(token);
      } else if (session.isLive) {
        tiles.forEach(({ miss }) => miss());
      }
    }
    setTimeout(look, EACH_MILLIS);
  }

  session.addEventListener('change', ({ detail }) => {
    if (detail === 'end') {
      before = null;
      tiles.forEach(({ clear }) => clear());
    }
  });
  look();
}

function tile({ name, title, note, colour, unit, isLevel }) {
  const number = element('strong', { class: 'number' }, '–');
  const picture = svgElement('svg', { class: `chart ${colour}` });
  const item = element('li', { 'data-count': name },
    element('h3', {}, title),
    element('p', {}, number, ...(unit ? [' ', unit] : [])),
    picture,
    element('p', { class: 'soft' }, note));
  const chart = new Chart(picture, isLevel ? title : `${title}, each second`, 1);
  return {
    item,
    show(now, before) {
      number.textContent = shown(now[name]);
      if (isLevel) {
        chart.push(now[name]);
      } else if (before) {
        // A service that was started anew counts from zero.
        chart.push(Math.max(0, now[name] - before[name]) / ((now.at - before.at) / 1000));
      }
    },
    miss() {
      number.textContent = '–';
      chart.push(null);
    },
    clear() {
      number.textContent = '–';
      chart.clear();
    },
  };
}
