package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.spring.Services;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The accounts of the transcripts, as a plugin; for tests of other packages too. */
public final class Accounts implements LoginSource<PasswordCredentials> {

    private static final Map<String, String> PASSWORDS = Map.of(
            "alice", Services.PASSWORD,
            "bob", Services.PASSWORD,
            "disabled", Services.PASSWORD,
            "the \"boss\\", Services.PASSWORD,
            "jürgen", "Grüße 鍵");

    private final Set<String> disabled = new HashSet<>(Set.of("disabled"));

    public void disable(String name) {
        disabled.add(name);
    }

    @Override
    public String name() {
        return "users";
    }

    @Override
    public Class<PasswordCredentials> kind() {
        return PasswordCredentials.class;
    }

    @Override
    public Decision authenticate(PasswordCredentials given, RequestContext context) {
        if (given.username().equals("failing")) {
            throw AuthUnavailableException.outage("The store is down");
        }
        String password = PASSWORDS.get(given.username());
        if (password == null) {
            return Decision.abstained();
        }
        if (!given.password().<Boolean>withText(text -> password.contentEquals(text))) {
            return Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }
        return disabled.contains(given.username())
                ? Rejected.because(RejectionReason.ACCOUNT_DISABLED)
                : login(given.username());
    }

    @Override
    public Optional<Verdict> account(String name) {
        if (!PASSWORDS.containsKey(name)) {
            return Optional.empty();
        }
        return Optional.of(disabled.contains(name) ? Rejected.because(RejectionReason.ACCOUNT_DISABLED) : login(name));
    }

    private static Authenticated login(String name) {
        Set<String> authorities = Set.of(name.startsWith("the") ? "ROLE_ADMIN" : "ROLE_USER");
        return Authenticated.as(Subject.of(name).withAuthorities(authorities)).withStamp(Secret.of("a stamp"));
    }
}
