package dev.latchkey.auth;

/**
 * Marks an {@link Error} that ends a check with no verdict because it is to begin anew: how the program around an
 * {@link AuthChain} takes its thread back while something is computed elsewhere, a password hash say.
 *
 * <p>The chain asks no further plugin, tells its listeners {@link AuthEvent.Postponed}, and lets the error pass. Whoever throws it
 * is the one to catch it, around the chain, and to ask again; to everybody else it is the error that it is, so a check that is
 * never begun anew lets nobody in. An error and no exception, since plugins and what they call rightly turn exceptions into
 * refusals: on an exception the mark means nothing.
 */
public interface Postponement {}
