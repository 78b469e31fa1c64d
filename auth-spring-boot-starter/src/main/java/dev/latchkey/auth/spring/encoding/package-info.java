/**
 * Encoders by property, and the upgrade of old hashes after the answer. This package may use {@code settings}, and no package
 * uses it. Start with {@link dev.latchkey.auth.spring.encoding.LatchkeyUpgradeAutoConfiguration}.
 */
@NullMarked
package dev.latchkey.auth.spring.encoding;

import org.jspecify.annotations.NullMarked;
