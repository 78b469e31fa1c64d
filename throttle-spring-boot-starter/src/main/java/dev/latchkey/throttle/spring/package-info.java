/**
 * Throttles for the endpoints of a service, on servlets and on WebFlux. It uses {@code http}, {@code settings} and {@code password} of
 * the starter, and the throttle of auth-guard, which decides what may pass. Start reading at {@code RequestThrottle} and {@code
 * BodyThrottle}, which both stacks share, then {@code ThrottleFilter} or {@code ReactiveThrottleFilter}.
 */
@NullMarked
package dev.latchkey.throttle.spring;

import org.jspecify.annotations.NullMarked;
