/**
 * What an operator looks at and changes: health, the actuator's endpoints, which Boot shows by JMX as well, and the audit of changes. It may use any package
 * but the filters; none needs it. Start with {@code LatchkeyEndpoint}.
 */
@NullMarked
package dev.latchkey.auth.spring.operations;

import org.jspecify.annotations.NullMarked;
