// The form for name and password, and the forms for the account's second step: a code or a passkey.

import { explain, goOn, logIn, logInByPasskey, passkeyChallenge } from './api.js';
import { byId, onPress } from './dom.js';
import { sign } from './passkey.js';

const login = byId('login');
const step = byId('step');
const keyStep = byId('key-step');
const refusal = byId('refusal');

/** Lets people in, by either form. */
export function startLogin(session) {
  let continuation = '';
  let challenge = {};

  function show(form) {
    for (const each of [login, step, keyStep]) {
      each.hidden = each !== form;
    }
  }

  function startAgain() {
    continuation = '';
    challenge = {};
    step.reset();
    show(login);
  }

  /** The tokens, the next step, or a refusal. */
  function took(answer, wrong) {
    if (answer.status === 200) {
      startAgain();
      login.reset();
      session.take(answer.fields, 'login');
    } else if (answer.fields.continuation) {
      continuation = answer.fields.continuation;
      challenge = answer.fields.parameters ?? {};
      show(challenge.credential_ids ? keyStep : step);
      byId(challenge.credential_ids ? 'key-use' : 'code').focus();
    } else {
      startAgain();
      refuse(answer, wrong);
      byId(answer.status === 401 && login.elements.username.value ? 'password' : 'username').focus();
    }
  }

  login.addEventListener('submit', (event) => submitted(event, async () => {
    const { username, password } = Object.fromEntries(new FormData(login));
    const answer = await logIn(username, password);
    byId('password').value = '';
    took(answer, 'The account or the password is wrong.');
  }));

  step.addEventListener('submit', (event) => submitted(event, async () => {
    const answer = await goOn(continuation, { code: byId('code').value.trim() });
    login.reset();
    // A continuation is good once, right or wrong.
    took(answer, 'That code was not right. Begin again with the password.');
  }));

  keyStep.addEventListener('submit', (event) => submitted(event, async () => {
    const signed = await sign(challenge);
    if (!signed) {
      refusal.textContent = 'The browser has no passkey of this account, or you have cancelled.';
      return;
    }
    const answer = await goOn(continuation, signed);
    login.reset();
    took(answer, 'That passkey was not right. Begin again with the password.');
  }));

  onPress(byId('passkey-login'), async () => {
    refusal.textContent = '';
    const begun = await passkeyChallenge();
    if (begun.status !== 200) {
      refuse(begun, 'The service has no passkeys.');
      return;
    }
    const signed = await sign(begun.fields);
    if (!signed) {
      refusal.textContent = 'The browser has no passkey for this service, or you have cancelled.';
      return;
    }
    took(await logInByPasskey(signed), 'That passkey is not known here.');
  });

  for (const button of ['again', 'key-again']) {
    byId(button).addEventListener('click', () => {
      startAgain();
      refusal.textContent = '';
      byId('username').focus();
    });
  }
}

/** One submission at a time; the page is not left for it, whatever becomes of it. */
async function submitted(event, send) {
  event.preventDefault();
  const form = event.currentTarget;
  if (form.getAttribute('aria-busy') === 'true') {
    return;
  }
  form.setAttribute('aria-busy', 'true');
  refusal.textContent = '';
  try {
    await send();
  } finally {
    form.removeAttribute('aria-busy');
  }
}

function refuse(answer, wrong) {
  refusal.textContent = answer.status === 401 ? wrong : explain(answer);
}
