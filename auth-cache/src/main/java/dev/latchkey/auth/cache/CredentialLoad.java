package dev.latchkey.auth.cache;

import org.jspecify.annotations.Nullable;

/**
 * The steps of a load, from the question to the verdict.
 *
 * @param <V> the verdict's type
 */
interface CredentialLoad<V> {

    /** The verdict of an entry stored between the caller's look-up and the start of the load; null if there is none. */
    @Nullable
    V stored();

    /** Asks the encoder or the plugin behind the cache. */
    V ask();

    /** Whether the verdict is a success. */
    boolean accepts(V verdict);

    /** Stores a success before the flight lands, unless the store rejects the entry. */
    void store(V verdict, Flight<V> flight, long nanos);
}
