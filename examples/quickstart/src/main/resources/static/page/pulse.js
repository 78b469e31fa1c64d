// This page's own requests with the token, one after the other: the line that is not to move while there is a flood.

import { whoAmI } from './api.js';
import { announce, clock } from './dom.js';

export const EACH_MILLIS = 500;

/** Calls onBeat with each answer, while there is a good token and somebody looks. The status line says when the service is gone, and when it is back. */
export function startPulse(session, onBeat) {
  let isGone = false;

  function tell({ status }) {
    if (status === 0 && !isGone) {
      announce(`The service does not answer since ${clock(new Date())}.`);
    } else if (status !== 0 && isGone) {
      announce(`The service answers again since ${clock(new Date())}.`);
    }
    isGone = status === 0;
  }

  async function beat() {
    if (session.isLive && !document.hidden) {
      const token = session.accessToken;
      const answer = await whoAmI(token);
      tell(answer);
      if (answer.status === 401) {
        session.end(token);
      } else {
        onBeat(answer);
      }
    }
    setTimeout(beat, EACH_MILLIS);
  }
  beat();
}
