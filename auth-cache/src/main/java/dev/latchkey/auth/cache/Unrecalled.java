package dev.latchkey.auth.cache;

import org.jspecify.annotations.Nullable;

/**
 * A load that ignores stored entries and stores its verdict as usual.
 *
 * @param <V> the verdict's type
 */
record Unrecalled<V>(CredentialLoad<V> load) implements CredentialLoad<V> {

    @Override
    public @Nullable V stored() {
        return null;
    }

    @Override
    public V ask() {
        return load.ask();
    }

    @Override
    public boolean accepts(V verdict) {
        return load.accepts(verdict);
    }

    @Override
    public void store(V verdict, Flight<V> flight, long nanos) {
        load.store(verdict, flight, nanos);
    }
}
