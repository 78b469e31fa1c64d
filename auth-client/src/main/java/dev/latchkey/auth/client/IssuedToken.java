package dev.latchkey.auth.client;

import java.time.Instant;

/**
 * A token that has just been issued.
 *
 * @param asked when it was asked for, from which its lifetime counts
 * @param event what is told of it
 */
record IssuedToken(TokenAnswer answer, Instant asked, ClientEvent event) {}
