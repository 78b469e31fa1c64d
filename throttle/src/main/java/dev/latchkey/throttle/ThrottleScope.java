package dev.latchkey.throttle;

import dev.latchkey.auth.guard.source.ClientSource;

/** The scope of a bucket; a request passes the scopes in this order. */
public enum ThrottleScope {
    /** One bucket for each authenticated caller. */
    PRINCIPAL,
    /** One bucket for each {@link ClientSource}. */
    SOURCE,
    /** One bucket for all requests; last, so that only requests past the other limits ask for a global token. */
    GLOBAL
}
