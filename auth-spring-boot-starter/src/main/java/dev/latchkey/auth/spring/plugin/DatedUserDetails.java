package dev.latchkey.auth.spring.plugin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.userdetails.UserDetails;

/**
 * An account with the time of its creation. If the service's {@code UserDetailsService} returns accounts of this type, API keys
 * and passkeys of a deleted account are rejected for a later account of the same name.
 */
public interface DatedUserDetails extends UserDetails {

    /**
     * The creation of the account.
     *
     * @return always the same for an account; by the clock of the service, or earlier; null if not known
     */
    @Nullable
    Instant created();
}
