/** Revocations and logins that nodes share through the service's database. */
@NullMarked
package dev.latchkey.auth.spring.shared;

import org.jspecify.annotations.NullMarked;
