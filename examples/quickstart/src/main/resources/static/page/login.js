// The form for name and password, and the one for the code where the account wants a second step.

import { explain, goOn, logIn } from './api.js';
import { byId } from './dom.js';

const login = byId('login');
const step = byId('step');
const refusal = byId('refusal');

/** Lets people in, by either form. */
export function startLogin(session) {
  let continuation = '';

  function show(form) {
    login.hidden = form !== login;
    step.hidden = form !== step;
  }

  function startAgain() {
    continuation = '';
    step.reset();
    show(login);
  }

  login.addEventListener('submit', (event) => submitted(event, async () => {
    const { username, password } = Object.fromEntries(new FormData(login));
    const answer = await logIn(username, password);
    byId('password').value = '';
    if (answer.status === 200) {
      login.reset();
      session.take(answer.fields, 'login');
    } else if (answer.fields.continuation) {
      continuation = answer.fields.continuation;
      show(step);
      byId('code').focus();
    } else {
      refuse(answer, 'The account or the password is wrong.');
      byId('password').focus();
    }
  }));

  step.addEventListener('submit', (event) => submitted(event, async () => {
    const answer = await goOn(continuation, byId('code').value.trim());
    startAgain();
    if (answer.status === 200) {
      login.reset();
      session.take(answer.fields, 'login');
    } else {
      // A continuation is good once, right or wrong.
      refuse(answer, 'That code was not right. Begin again with the password.');
      byId('username').focus();
    }
  }));

  byId('again').addEventListener('click', () => {
    startAgain();
    refusal.textContent = '';
    byId('username').focus();
  });
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
