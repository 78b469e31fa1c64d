// The account's passkeys, and the form that makes another passkey.

import { beginPasskey, confirmPasskey, explain, passkeyProof, passkeys } from './api.js';
import { announce, byId, clock, element } from './dom.js';
import { create, sign } from './passkey.js';

/** Lists the passkeys after each login. */
export function startPasskeys(session) {
  const list = byId('passkeys');
  const form = byId('passkey-form');

  async function show() {
    const token = session.accessToken;
    const answer = await passkeys(token);
    if (token === session.accessToken && answer.status === 200) {
      list.replaceChildren(...answer.fields.passkeys.map((key) => element('li', {},
        element('p', {}, element('strong', {}, key.name)))));
    }
  }

  async function add(token, password) {
    // An account with passkeys proves one of these passkeys, too.
    const proof = await passkeyProof(token);
    const signed = proof.status === 200 ? await sign(proof.fields) : {};
    const begun = signed && await beginPasskey(token, { password, ...signed });
    if (!begun || begun.status === 403) {
      return 'The password or the passkey was not right.';
    }
    if (begun.status !== 200) {
      return explain(begun);
    }
    const made = await create(begun.fields);
    if (!made) {
      return 'The browser made no passkey.';
    }
    const confirmed = await confirmPasskey(token, { name: `Passkey of ${clock(new Date())}`, ...made });
    return confirmed.status === 200 ? 'A new passkey. The next login asks for the passkey.' : explain(confirmed);
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (form.getAttribute('aria-busy') === 'true') {
      return;
    }
    form.setAttribute('aria-busy', 'true');
    const password = byId('passkey-password').value;
    form.reset();
    try {
      announce(await add(session.accessToken, password));
      await show();
    } finally {
      form.removeAttribute('aria-busy');
    }
  });

  session.addEventListener('change', ({ detail }) => {
    if (detail === 'login') {
      show();
    } else if (detail === 'end') {
      list.replaceChildren();
    }
  });
}
