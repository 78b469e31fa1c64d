/**
 * Limits on requests and on the bytes of their bodies, by the names that the service gives them. It may use {@code password}
 * and what that uses. Start with {@code ThrottleFilter}, or {@code ReactiveThrottleFilter} on WebFlux.
 */
@NullMarked
package dev.latchkey.auth.spring.throttle;

import org.jspecify.annotations.NullMarked;
