// Puts the page together: who is logged in sees the inside, everybody else the form.

import { announce, byId } from './dom.js';
import { startFlood } from './flood.js';
import { startLogin } from './login.js';
import { startLogins } from './logins.js';
import { startNode } from './node.js';
import { startPasskeys } from './passkeys.js';
import { Session } from './session.js';
import { startToken } from './token.js';

const session = new Session();

session.addEventListener('change', ({ detail }) => {
  byId('inside').hidden = !session.isThere;
  byId('outside').hidden = session.isThere;
  if (detail === 'login') {
    announce('You are logged in.');
    byId('token-title').focus();
  } else if (detail === 'over') {
    announce('The time of the token is over, or its login has ended. Refresh it to go on.');
  } else if (detail === 'end') {
    byId('username').focus();
  }
});

startLogin(session);
startToken(session);
startLogins(session);
startPasskeys(session);
startNode(session);
startFlood(session);
