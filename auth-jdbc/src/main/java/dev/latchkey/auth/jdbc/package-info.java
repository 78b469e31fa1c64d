/** Revocations and logins that several nodes share, in the database that a service has. */
@NullMarked
package dev.latchkey.auth.jdbc;

import org.jspecify.annotations.NullMarked;
