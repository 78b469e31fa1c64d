// The account's logins, on this device and on others, each with a button that ends it.

import { endLogin, explain, logins } from './api.js';
import { announce, byId, clock, element, onPress } from './dom.js';

/** Lists the logins after each login and refresh, and when asked to. */
export function startLogins(session) {
  const list = byId('logins');

  async function show() {
    const token = session.accessToken;
    const answer = await logins(token);
    if (token !== session.accessToken) {
      return;
    }
    if (answer.status === 200) {
      list.replaceChildren(...answer.fields.logins.map(item));
    } else {
      refused(token, answer);
    }
  }

  function item(login) {
    const device = login.device ?? 'an unnamed device';
    const began = clock(new Date(login.started_at));
    const prolonged = login.last_used_at === login.started_at ? '' : `, prolonged ${clock(new Date(login.last_used_at))}`;
    const end = element('button', { type: 'button', class: 'danger', 'aria-label': `End the login of ${began} by ${device}` }, 'End');
    onPress(end, () => remove(login));
    const title = element('strong', {}, device);
    return element('li', login.current ? { 'aria-current': 'true' } : {},
      element('div', {},
        element('p', {}, title, ...(login.current ? [' ', element('span', { class: 'mark' }, 'this page')] : [])),
        element('p', { class: 'soft' }, `since ${began}${prolonged}`)),
      end);
  }

  async function remove(login) {
    const token = session.accessToken;
    const answer = await endLogin(token, login.id);
    if (answer.status === 204 && login.current) {
      session.forget();
      announce('You have ended the login of this page.');
    } else if (answer.status === 204 || answer.status === 404) {
      announce('That login has ended. Its tokens are refused from now on.');
      await show();
      // The button that had the focus is gone.
      byId('logins-title').focus();
    } else {
      refused(token, answer);
    }
  }

  function refused(token, answer) {
    if (answer.status === 401) {
      session.end(token);
    }
    announce(explain(answer));
  }

  onPress(byId('logins-again'), async () => {
    await show();
    announce(`Logins: ${list.childElementCount}.`);
  });
  session.addEventListener('change', ({ detail }) => {
    if (detail === 'end') {
      list.replaceChildren();
    } else if (detail !== 'over') {
      show();
    }
  });
}
