// This page's own requests with the token, one after the other: the line that is not to move while there is a flood.

import { whoAmI } from './api.js';

const EACH_MILLIS = 500;

/** Calls onBeat with each answer, while there is a good token and somebody looks. */
export function startPulse(session, onBeat) {
  async function beat() {
    if (session.isLive && !document.hidden) {
      const token = session.accessToken;
      const answer = await whoAmI(token);
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
