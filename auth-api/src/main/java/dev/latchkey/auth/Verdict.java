package dev.latchkey.auth;

/**
 * A word on credentials that ends a chain: {@link Authenticated}, {@link Rejected}, or {@link Challenged}, which is neither. What
 * {@link AuthChain} answers. Nobody is logged in by another one than {@code Authenticated}.
 */
public sealed interface Verdict extends Decision permits Authenticated, Rejected, Challenged {}
