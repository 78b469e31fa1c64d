/**
 * The service's password encoders behind the credential cache and the permits to hash. May use {@code http} and {@code settings}.
 * Start with {@link dev.latchkey.auth.spring.password.LoginEncoder}.
 */
@NullMarked
package dev.latchkey.auth.spring.password;

import org.jspecify.annotations.NullMarked;
