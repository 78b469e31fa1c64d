package dev.latchkey.auth.cache;

import org.jspecify.annotations.Nullable;

/**
 * What a flight does to reach a verdict.
 *
 * @param <V> the verdict's type
 */
interface CredentialLoad<V> {

    /**
     * The verdict of an entry that was stored between this caller's look-up and its flight; null where there is none.
     */
    @Nullable
    V stored();

    /** Asks the encoder or the plugin behind the cache. */
    V ask();

    /** Whether this is a success. */
    boolean accepts(V verdict);

    /** Stores a success, unless something forbids it; before the flight lands. */
    void store(V verdict, Flight<V> flight, long nanos);
}
