package dev.latchkey.auth.password.hash;

import org.jspecify.annotations.Nullable;

/**
 * One way of writing a password hash as text. Safe for use by any number of threads.
 *
 * <p>Reads what a database row may hold, which is anything: it never throws, and does no work in proportion to what the text asks for. That work
 * comes with {@code ParsedHash.check}, after the ceilings.
 */
@FunctionalInterface
public interface HashFormat {

    /**
     * Reads a text, which may be of this format.
     *
     * @param text as it is stored, without an id in braces that has led here
     * @return null where it is not of this format at all, so that another may be asked
     */
    @Nullable
    ParsedHash read(String text);
}
