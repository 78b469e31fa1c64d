package dev.latchkey.auth.password.hash;

import org.jspecify.annotations.Nullable;

/**
 * One text form of password hashes. Safe for use by any number of threads.
 *
 * <p>A database row may contain anything. Reading never throws, and does no work in proportion to the text's costs.
 * {@code ParsedHash.check} does the work, after the check of the ceilings.
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
