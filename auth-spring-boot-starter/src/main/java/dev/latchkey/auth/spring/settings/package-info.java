/**
 * Every property of the starter, and the messages for invalid values. Uses no other package of the starter. Start with {@link
 * dev.latchkey.auth.spring.settings.LatchkeyProperties}.
 */
@NullMarked
package dev.latchkey.auth.spring.settings;

import org.jspecify.annotations.NullMarked;
