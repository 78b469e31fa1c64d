package dev.latchkey.plugins.passkeys;

import java.time.Instant;
import java.util.Optional;

/**
 * A passkey of an account, for its owner's list.
 *
 * @param id its credential id, in Base64url
 * @param name that its owner gave it
 * @param created when it was registered
 * @param lastUsed when it was last used; empty for never
 */
public record Passkey(String id, String name, Instant created, Optional<Instant> lastUsed) {}
