package dev.latchkey.auth.spring.login;

import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;

/**
 * The options of a call, kept with an open challenge until the login is complete.
 *
 * @param options of the call
 * @param authentication the login by Spring Security; null for a login at the endpoint
 */
record TokenWish(TokenOptions options, @Nullable Authentication authentication) {

    static final TokenWish NONE = new TokenWish(TokenOptions.defaults(), null);
}
