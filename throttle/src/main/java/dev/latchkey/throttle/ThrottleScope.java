package dev.latchkey.throttle;

import dev.latchkey.auth.guard.source.ClientSource;

/** What a throttle has one bucket for; a request passes the scopes in this order. */
public enum ThrottleScope {
    /** One bucket for each authenticated caller. */
    PRINCIPAL,
    /** One bucket for each {@link ClientSource}. */
    SOURCE,
    /** One bucket for all; last, so that it is asked when something could really be sent. */
    GLOBAL
}
