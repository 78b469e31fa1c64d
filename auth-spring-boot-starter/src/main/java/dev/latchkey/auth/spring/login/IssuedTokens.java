package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.Subject;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a login or a refresh is answered with. No record: a record prints its components. */
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

    public Subject subject() {
        return subject;
    }

    public AccessToken access() {
        return access;
    }

    public Optional<RefreshToken> refresh() {
        return Optional.ofNullable(refresh);
    }

    /** What the next login from this device shows in place of a second step; empty where none is remembered. */
    public Optional<RememberedDevice> device() {
        return Optional.ofNullable(device);
    }
}
