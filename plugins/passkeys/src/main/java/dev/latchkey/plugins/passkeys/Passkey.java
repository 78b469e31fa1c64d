package dev.latchkey.plugins.passkeys;

import java.time.Instant;
import java.util.Optional;

/**
 * A passkey of an account, for its owner's list.
 *
 * @param id the credential id, in Base64url
 * @param name the owner's name for the passkey
 * @param created the time of the registration
 * @param lastUsed the time of the last use; empty for never
 */
public record Passkey(String id, String name, Instant created, Optional<Instant> lastUsed) {}
