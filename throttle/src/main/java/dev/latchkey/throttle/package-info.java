/**
 * Throttles: rates for each caller, for each source and for all together. Requests and bodies pass them in order
 * without a thread. The package uses the buckets, the sources and the clock of the guard, and knows neither servlets
 * nor Spring. Start reading at {@link dev.latchkey.throttle.Throttle}, then {@link dev.latchkey.throttle.Acquisition}.
 */
@NullMarked
package dev.latchkey.throttle;

import org.jspecify.annotations.NullMarked;
