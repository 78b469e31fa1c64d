// The card that takes the access token apart and shows its time running out.

import { explain, logOut, logOutEverywhere, refresh, whoAmI } from './api.js';
import { announce, byId, clock, element, onPress } from './dom.js';

const MEANINGS = {
  alg: 'how it is signed',
  typ: 'what it is',
  kid: 'which key signed it',
  iss: 'who issued it',
  aud: 'for whom it is',
  sub: 'whose it is',
  authorities: 'what may be done with it',
  iat: 'issued at',
  exp: 'worthless from',
  nbf: 'worthless before',
  jti: 'its own name',
  sid: 'the login that it belongs to',
  amr: 'how the login was proved',
  auth_time: 'when it was proved',
};
const TIMES = new Set(['iat', 'exp', 'nbf', 'auth_time']);

/** Shows the session's token, and lets it be refreshed, used and ended. */
export function startToken(session) {
  session.addEventListener('change', ({ detail }) => {
    if (detail === 'login' || detail === 'refresh') {
      showParts(session.accessToken);
    } else if (detail === 'end') {
      // What is hidden could still be read by who looks into the document.
      byId('token-header').replaceChildren();
      byId('token-claims').replaceChildren();
      byId('who').textContent = '';
    }
    showTime(session);
  });
  setInterval(() => tick(session), 250);

  onPress(byId('refresh'), () => prolong(session));
  onPress(byId('use'), () => use(session));
  onPress(byId('logout'), async () => ended(session, await logOut(session.accessToken), 'Logged out here; other devices stay logged in.'));
  onPress(byId('logout-everywhere'), async () => {
    const answer = await logOutEverywhere(session.accessToken);
    ended(session, answer, 'Logged out everywhere: every token of the account is worthless.');
  });
}

function tick(session) {
  if (session.isThere) {
    showTime(session);
    if (session.secondsLeft === 0) {
      session.end(session.accessToken);
    }
  }
}

async function prolong(session) {
  if (!session.refreshToken) {
    announce('This login has no refresh token. Log in again.');
    return;
  }
  const token = session.refreshToken;
  const answer = await refresh(token);
  if (token !== session.refreshToken) {
    // A late answer to an earlier login says nothing about the present one.
    return;
  }
  if (answer.status === 200) {
    session.take(answer.fields, 'refresh');
    announce('A new token. The refresh token was replaced too: each is good once.');
  } else if (answer.status === 401) {
    session.forget();
    announce('This login has ended, so it cannot be prolonged. Log in again.');
  } else {
    announce(explain(answer));
  }
}

async function use(session) {
  const token = session.accessToken;
  const answer = await whoAmI(token);
  if (answer.status === 200) {
    announce(`GET /api/me: you are ${answer.fields.name}, in ${answer.millis.toFixed(1)} ms.`);
    return;
  }
  if (answer.status === 401) {
    session.end(token);
  }
  announce(`GET /api/me: ${explain(answer)}`);
}

/** A logout that met an outage is to be tried again, so the tokens stay; one that is refused has nothing left to end. */
function ended(session, answer, text) {
  if (answer.status === 204) {
    session.forget();
    announce(text);
  } else if (answer.status === 401) {
    session.end(session.accessToken);
    announce('This token is worthless already. Refresh first, or leave: the login here ends by itself.');
  } else {
    announce(explain(answer));
  }
}

function showParts(token) {
  const [header, claims, signature] = token.split('.');
  byId('token-header').replaceChildren(...rows(fieldsOf(header)));
  byId('token-claims').replaceChildren(...rows(fieldsOf(claims)));
  byId('who').textContent = fieldsOf(claims).sub;
  // With it a picture of this page would be as good as the password, for as long as the token lives.
  byId('token-signature').textContent = `${signature.length} characters, which this page keeps to itself`;
}

/** One part is an object in JSON in Base64url (RFC 7515 section 2). */
function fieldsOf(part) {
  const bytes = Uint8Array.from(atob(part.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

function rows(fields) {
  return Object.entries(fields).map(([name, value]) => element('div', {},
    element('dt', {}, element('code', {}, name), ` ${MEANINGS[name] ?? ''}`),
    element('dd', {}, TIMES.has(name) ? `${value} = ${clock(new Date(value * 1000))}` : text(value))));
}

function text(value) {
  if (Array.isArray(value)) {
    return value.map(text).join(', ');
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function showTime(session) {
  const seconds = session.isLive ? Math.ceil(session.secondsLeft) : 0;
  const share = session.isLive ? session.secondsLeft / session.lifetime : 0;
  byId('rest').setAttribute('stroke-dasharray', `${(share * 100).toFixed(2)} 100`);
  byId('ring').classList.toggle('late', share < 0.2);
  byId('left').textContent = session.isLive ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}` : 'over';
  byId('left-unit').textContent = session.isLive ? 'left' : 'refresh it';
}
