/**
 * Throttles for the endpoints of a service, on servlets and on WebFlux. The module {@code throttle} decides which
 * requests and bytes pass. Start reading at {@code RequestThrottle} and {@code BodyThrottle}, shared by both stacks,
 * then {@code ThrottleFilter} and {@code ThrottledBodyFilter}, or {@code ReactiveThrottleFilter}.
 *
 * <p>The package has more than 30 files, because both stacks share package-private parts: the rules, the refusals and the
 * throttles of bodies.
 */
@NullMarked
package dev.latchkey.throttle.spring;

import org.jspecify.annotations.NullMarked;
