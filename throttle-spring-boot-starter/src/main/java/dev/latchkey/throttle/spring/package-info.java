/**
 * Throttles for the endpoints of a service, on servlets and on WebFlux. The module {@code throttle} decides which
 * requests and bytes pass. Start reading at {@code RequestThrottle} and {@code BodyThrottle}, shared by both stacks,
 * then {@code ThrottleFilter} and {@code ThrottledBodyFilter}, or {@code ReactiveThrottleFilter}.
 */
@NullMarked
package dev.latchkey.throttle.spring;

import org.jspecify.annotations.NullMarked;
