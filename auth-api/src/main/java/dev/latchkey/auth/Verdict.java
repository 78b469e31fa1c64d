package dev.latchkey.auth;

import dev.latchkey.auth.engine.AuthChain;

/**
 * A decision at the end of the chain, and the result of {@link AuthChain}: {@link Authenticated}, {@link Rejected} or
 * {@link Challenged}. Only {@code Authenticated} is a login.
 */
public sealed interface Verdict extends Decision permits Authenticated, Rejected, Challenged {}
