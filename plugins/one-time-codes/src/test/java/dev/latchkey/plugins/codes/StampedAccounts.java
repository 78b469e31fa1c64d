package dev.latchkey.plugins.codes;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import org.jspecify.annotations.Nullable;

/** Everybody's password is {@code right}, and has this stamp. */
final class StampedAccounts implements LoginSource<PasswordCredentials> {

    @Nullable
    String stamp = "hash";

    boolean hasStoredNames = true;

    private final String name;

    StampedAccounts(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Class<PasswordCredentials> kind() {
        return PasswordCredentials.class;
    }

    @Override
    public boolean hasStoredNames() {
        return hasStoredNames;
    }

    @Override
    public Decision authenticate(PasswordCredentials given, RequestContext context) {
        if (!given.password().matches(Secret.of("right"))) {
            return Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }
        Authenticated login = Authenticated.as(Subject.of(given.username()));
        return stamp == null ? login : login.withStamp(Secret.of(stamp));
    }
}
