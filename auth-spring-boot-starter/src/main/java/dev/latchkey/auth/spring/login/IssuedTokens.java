package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.Subject;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a login or a refresh is answered with. No record: a record prints its components. */
public final class IssuedTokens implements LoginOutcome {

    private final Subject subject;
    private final AccessToken access;
    private final @Nullable RefreshToken refresh;

    IssuedTokens(Subject subject, AccessToken access, @Nullable RefreshToken refresh) {
        this.subject = subject;
        this.access = access;
        this.refresh = refresh;
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
}
