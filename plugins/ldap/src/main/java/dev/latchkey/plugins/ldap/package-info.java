/**
 * Logins with an LDAP directory: finds the account, binds with the presented password, and reads the account's groups.
 */
@NullMarked
package dev.latchkey.plugins.ldap;

import org.jspecify.annotations.NullMarked;
