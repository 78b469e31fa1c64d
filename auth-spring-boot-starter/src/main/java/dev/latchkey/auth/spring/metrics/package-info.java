/**
 * Meters and observations of what the other packages do. It may use any package but the filters; none needs it. Start with
 * {@code AuthMeters}.
 */
@NullMarked
package dev.latchkey.auth.spring.metrics;

import org.jspecify.annotations.NullMarked;
