package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.Subject;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The tokens that a login or a refresh is answered with. No record, since a record prints its components. Immutable. */
public final class IssuedTokens implements LoginOutcome {

    private final Subject subject;
    private final AccessToken access;
    private final @Nullable RefreshToken refresh;
    private final @Nullable RememberedDevice device;

    IssuedTokens(Subject subject, AccessToken access, @Nullable RefreshToken refresh) {
        this(subject, access, refresh, null);
    }

    private IssuedTokens(
            Subject subject, AccessToken access, @Nullable RefreshToken refresh, @Nullable RememberedDevice device) {
        this.subject = subject;
        this.access = access;
        this.refresh = refresh;
        this.device = device;
    }

    IssuedTokens withDevice(RememberedDevice remembered) {
        return new IssuedTokens(subject, access, refresh, remembered);
    }

    /**
     * Who logged in, as the plugin that decided it says.
     *
     * @return with authorities and claims
     */
    public Subject subject() {
        return subject;
    }

    /**
     * The token that requests are sent with.
     *
     * @return new with each login and refresh
     */
    public AccessToken access() {
        return access;
    }

    /**
     * The token that prolongs the login, once.
     *
     * @return empty where logins are not prolonged, or this one cannot be
     */
    public Optional<RefreshToken> refresh() {
        return Optional.ofNullable(refresh);
    }

    /**
     * What the next login from this device shows in place of a second step.
     *
     * @return empty where no device is remembered
     */
    public Optional<RememberedDevice> device() {
        return Optional.ofNullable(device);
    }
}
