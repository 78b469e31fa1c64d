/**
 * Encoders by property, and the upgrade of old hashes after the answer. It may use {@code settings}; no other package needs it. Start
 * with {@link dev.latchkey.auth.spring.encoding.LatchkeyUpgradeAutoConfiguration}.
 */
@NullMarked
package dev.latchkey.auth.spring.encoding;

import org.jspecify.annotations.NullMarked;
