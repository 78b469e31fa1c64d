/**
 * Every property of the starter, and what is said when one of them is wrong. It uses no other package of the starter. Start
 * with {@link dev.latchkey.auth.spring.settings.LatchkeyProperties}.
 */
@NullMarked
package dev.latchkey.auth.spring.settings;

import org.jspecify.annotations.NullMarked;
