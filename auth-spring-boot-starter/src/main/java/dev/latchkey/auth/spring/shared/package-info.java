/** Revocations, logins and login limits that nodes share through the service's Redis or database. */
@NullMarked
package dev.latchkey.auth.spring.shared;

import org.jspecify.annotations.NullMarked;
