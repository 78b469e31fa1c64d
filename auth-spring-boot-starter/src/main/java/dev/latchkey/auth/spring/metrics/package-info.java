/**
 * Meters and observations of the other packages. This package may use all packages but the filters, and no package uses it. Start
 * with {@code AuthMeters}.
 */
@NullMarked
package dev.latchkey.auth.spring.metrics;

import org.jspecify.annotations.NullMarked;
