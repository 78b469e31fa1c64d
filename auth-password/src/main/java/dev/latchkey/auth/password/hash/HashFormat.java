package dev.latchkey.auth.password.hash;

import org.jspecify.annotations.Nullable;

/**
 * One way of writing a password hash as text.
 *
 * <p>Reads what a database row may hold, which is anything: never throws, and does no work in proportion to what the text
 * asks for. That comes with {@code ParsedHash.check}, after the ceilings.
 */
@FunctionalInterface
public interface HashFormat {

    /** What the text says; {@code null} where it is not of this format at all, so that another may be asked. */
    @Nullable
    ParsedHash read(String text);
}
