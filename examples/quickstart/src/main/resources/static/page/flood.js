// A small flood of wrong passwords, sent by this page, and what becomes of the page's own requests meanwhile.
//
// Nobody can be harmed by it who could not be harmed without: it is what any client may send, by the ordinary endpoint, and the service has no
// code for it. It is offered on this machine alone; it ends by number, by time, and when nobody looks. It uses up the limit of the account that is
// chosen and no other, and soon costs no hash any more, however often it is started.

import { logIn } from './api.js';
import { Chart, shown } from './chart.js';
import { announce, byId, element, median } from './dom.js';
import { EACH_MILLIS, startPulse } from './pulse.js';

const MOST = 120;
const LONGEST_MILLIS = 20_000;
/** A browser opens six connections to a host, and the page's own requests need two of them. */
const AT_ONCE = 4;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const ANSWERS = new Map([
  [401, 'hashed, and wrong'],
  [429, 'refused by a limit, no hash'],
  [503, 'refused for load, no hash'],
  [0, 'not answered, or stopped'],
]);

export function startFlood(session) {
  const sent = new Chart(byId('flood-chart'), 'Wrong logins answered, each second', 5);
  const own = new Chart(byId('pulse-chart'), 'Your requests with the token, in milliseconds', 50, EACH_MILLIS / 1000);
  const start = byId('flood-start');
  const stop = byId('flood-stop');
  let quiet = [];
  let flood = null;
  let answered = 0;

  setInterval(() => {
    if (session.isLive && !document.hidden) {
      sent.push(answered);
      byId('flood-now').textContent = String(answered);
    }
    answered = 0;
  }, 1_000);

  startPulse(session, (answer) => {
    const isGood = answer.status === 200;
    // How soon a request fails says nothing about how soon one is answered.
    own.push(isGood ? answer.millis : null);
    byId('pulse-now').textContent = isGood ? shown(answer.millis) : 'failed';
    if (flood) {
      flood.beats.push(answer);
    } else if (isGood) {
      quiet = [...quiet, answer.millis].slice(-20);
    }
  });

  async function run() {
    const current = { end: new AbortController(), account: byId('flood-account').value, number: 0, beats: [], tally: new Map() };
    const timer = setTimeout(() => current.end.abort(), LONGEST_MILLIS);
    flood = current;
    start.disabled = true;
    stop.disabled = false;
    stop.focus();
    byId('flood-result').textContent = '';
    announce('The flood has started.');
    await Promise.all(Array.from({ length: AT_ONCE }, () => send(current)));
    clearTimeout(timer);
    flood = null;
    start.disabled = !session.isLive;
    stop.disabled = true;
    if (session.isThere) {
      start.focus();
      announce('');
      byId('flood-result').textContent = summary(quiet, current.beats);
    }
  }

  /** One of the few that send at the same time. A service that does not answer is left alone. */
  async function send(current) {
    while (!current.end.signal.aborted && current.number < MOST) {
      current.number += 1;
      const { status } = await logIn(current.account, `wrong-${current.number}-${Date.now()}`, current.end.signal);
      answered += status === 0 ? 0 : 1;
      current.tally.set(status, (current.tally.get(status) ?? 0) + 1);
      // What comes in after a logout is nobody's any more.
      if (session.isThere) {
        show(current.tally);
      }
      if (status === 0) {
        return;
      }
    }
  }

  start.addEventListener('click', run);
  stop.addEventListener('click', () => flood?.end.abort());
  document.addEventListener('visibilitychange', () => document.hidden && flood?.end.abort());
  session.addEventListener('change', ({ detail }) => {
    if (detail === 'end' || detail === 'over') {
      flood?.end.abort();
    }
    if (detail === 'end') {
      quiet = [];
      sent.clear();
      own.clear();
      byId('flood-tally').replaceChildren();
      byId('flood-result').textContent = '';
    }
    start.disabled = !session.isLive || flood !== null || !LOOPBACK.has(location.hostname);
  });
  byId('flood-where').hidden = LOOPBACK.has(location.hostname);
}

function show(tally) {
  byId('flood-tally').replaceChildren(...[...tally.keys()].sort().map((status) => element('div', { 'data-status': status },
    element('dt', {}, status === 0 ? '–' : String(status), ` ${ANSWERS.get(status) ?? ''}`),
    element('dd', {}, String(tally.get(status))))));
}

function summary(quiet, beats) {
  const answered = beats.filter(({ status }) => status === 200);
  const meanwhile = median(answered.map(({ millis }) => millis));
  const before = median(quiet);
  const times = Number.isNaN(before) || Number.isNaN(meanwhile) ? '' : ` Half of them took ${shown(before)} ms at most before, ${shown(meanwhile)} ms meanwhile.`;
  return `The flood is over. Of your own ${beats.length} requests meanwhile ${answered.length} were answered.${times}`;
}
