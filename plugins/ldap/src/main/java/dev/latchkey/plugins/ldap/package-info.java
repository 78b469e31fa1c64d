/** Logins by an LDAP directory: it finds the account, binds as it with the password that was sent, and reads its groups. */
@NullMarked
package dev.latchkey.plugins.ldap;

import org.jspecify.annotations.NullMarked;
