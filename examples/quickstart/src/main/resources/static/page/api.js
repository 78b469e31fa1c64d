// What this page asks of the service. An answer is a value, whatever its status; where none comes the status is 0.

const LONGEST_WAIT = 20_000;

/** The fields that an answer has in JSON; none for any other. */
function fieldsOf(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

function limited(signal) {
  const longest = AbortSignal.timeout(LONGEST_WAIT);
  return signal ? AbortSignal.any([signal, longest]) : longest;
}

async function ask(method, path, { token, fields, signal } = {}) {
  const headers = {};
  if (token) {
    headers.Authorization = `Bearer ${token}`;
  }
  if (fields) {
    headers['Content-Type'] = 'application/json';
  }
  const began = performance.now();
  try {
    const response = await fetch(path, {
      method,
      headers,
      body: fields && JSON.stringify(fields),
      // The token is all that says who asks: the browser is to add no cookie, and to ask nobody for a password after a 401.
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      signal: limited(signal),
    });
    const text = await response.text();
    return {
      status: response.status,
      fields: fieldsOf(text),
      millis: performance.now() - began,
      retryAfter: Number(response.headers.get('Retry-After')) || 0,
    };
  } catch {
    return { status: 0, fields: {}, millis: performance.now() - began, retryAfter: 0 };
  }
}

/** A first step; a second one is wanted where the answer has a continuation. */
export function logIn(username, password, signal) {
  return ask('POST', '/auth/token', { fields: { username, password }, signal });
}

export function goOn(continuation, response) {
  return ask('POST', '/auth/token', { fields: { continuation, ...response } });
}

/** A challenge for a login by a passkey alone. */
export function passkeyChallenge() {
  return ask('POST', '/auth/passkeys/challenge');
}

export function logInByPasskey(signed) {
  return ask('POST', '/auth/token', { fields: { grant_type: 'urn:latchkey:params:oauth:grant-type:passkey', ...signed } });
}

export function passkeys(token) {
  return ask('GET', '/auth/passkeys', { token });
}

/** A challenge for an account with passkeys; 404 for an account without. */
export function passkeyProof(token) {
  return ask('POST', '/auth/passkeys/proof', { token });
}

export function beginPasskey(token, proof) {
  return ask('POST', '/auth/passkeys', { token, fields: proof });
}

export function confirmPasskey(token, made) {
  return ask('POST', '/auth/passkeys/confirm', { token, fields: made });
}

export function refresh(token) {
  return ask('POST', '/auth/token', { fields: { refresh_token: token } });
}

export function logOut(token) {
  return ask('POST', '/auth/logout', { token });
}

export function logOutEverywhere(token) {
  return ask('DELETE', '/api/me/logins', { token });
}

export function whoAmI(token) {
  return ask('GET', '/api/me', { token });
}

export function logins(token) {
  return ask('GET', '/auth/logins', { token });
}

export function endLogin(token, id) {
  return ask('DELETE', `/auth/logins/${encodeURIComponent(id)}`, { token });
}

export function counts(token) {
  return ask('GET', '/actuator/counts', { token });
}

/** What to tell a person about an answer that is not the wanted one. */
export function explain({ status, retryAfter }) {
  const later = retryAfter > 0 ? ` Try again in ${retryAfter} s.` : ' Try again later.';
  switch (status) {
    case 0:
      return 'The service does not answer.';
    case 401:
      return 'The service refuses this token: its time is over, or its login has ended.';
    case 429:
      return `Too many logins have failed lately.${later}`;
    case 503:
      return `The service has too much to do.${later}`;
    default:
      return `The service answers ${status}.`;
  }
}
