/**
 * The operator's view of throttles: meters, the actuator's endpoint, and the audit of changes. Start reading at
 * {@code ThrottleEndpoint}.
 */
@NullMarked
package dev.latchkey.throttle.spring.operations;

import org.jspecify.annotations.NullMarked;
