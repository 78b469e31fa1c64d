package dev.latchkey.auth.password.hash;

import org.jspecify.annotations.Nullable;

/**
 * One text form of password hashes. Safe for use by any number of threads.
 *
 * <p>A database row may contain anything. Reading never throws, and its time does not depend on the costs in the text.
 * {@code ParsedHash.check} does the expensive work, after the check of the ceilings.
 */
@FunctionalInterface
public interface HashFormat {

    /**
     * Reads a text that may have this format.
     *
     * @param text the stored text, without the id in braces that selected this format
     * @return null if the text has another format, so that the next format can be tried
     */
    @Nullable
    ParsedHash read(String text);
}
