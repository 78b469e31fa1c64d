package dev.latchkey.auth;

import dev.latchkey.auth.engine.AuthChain;

/**
 * A decision that ends the chain, and the result of {@link AuthChain}: {@link Authenticated}, {@link Rejected} or {@link Challenged}. Only {@code
 * Authenticated} logs anybody in.
 */
public sealed interface Verdict extends Decision permits Authenticated, Rejected, Challenged {}
