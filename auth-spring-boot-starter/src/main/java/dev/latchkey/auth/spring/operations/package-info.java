/**
 * Health, actuator endpoints (also by JMX), and the audit of changes. This package may use all packages but the filters, and no
 * package uses it. Start with {@code LatchkeyEndpoint}.
 */
@NullMarked
package dev.latchkey.auth.spring.operations;

import org.jspecify.annotations.NullMarked;
