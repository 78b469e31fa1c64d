package dev.latchkey.auth.cache;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A remote service with one account, {@code ada}, and one token for it; slow by the test's clock, and asked so often.
 */
final class FakePlugin implements AuthPlugin {

    static final String TOKEN = "token-of-ada";
    static final String PASSWORD = "password-of-ada";

    final AtomicInteger asked = new AtomicInteger();
    volatile Subject subject = Subject.of("subject-ada").withAuthorities("ROLE_USER");
    volatile Instant validUntil = Instant.MAX;
    volatile String password = PASSWORD;
    volatile Runnable beforeAnswer = () -> {};
    volatile boolean takesPasswords = true;
    volatile RequestContext context = RequestContext.none();
    volatile Instant tokenIssuedAt = TestTime.START;
    private final TestTime time;
    private final RevocationStore revocations;
    private volatile boolean closed;

    FakePlugin(TestTime time, RevocationStore revocations) {
        this.time = time;
        this.revocations = revocations;
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public boolean supports(Class<? extends Credentials> kind) {
        return kind == PasswordCredentials.class || kind == BearerToken.class;
    }

    @Override
    public Decision authenticate(Credentials credentials, RequestContext context) {
        asked.incrementAndGet();
        this.context = context;
        beforeAnswer.run();
        time.pass(FakeEncoder.COST);
        if (credentials instanceof PasswordCredentials login) {
            return answer(login.username().equals("ada") && login.password().matches(Secret.of(password)));
        }
        return credentials instanceof BearerToken token ? answer(isValid(token)) : Decision.abstained();
    }

    @Override
    public boolean revoke(Credentials credentials) {
        if (credentials instanceof BearerToken token && isValid(token)) {
            revocations.revokeToken("id-of-ada", Instant.MAX);
            return true;
        }
        return false;
    }

    @Override
    public boolean revokeAll(String subjectId, Instant notBefore) {
        revocations.revokeSubject(subjectId, notBefore);
        // A password is not issued, and stays good.
        return !takesPasswords;
    }

    @Override
    public void close() {
        closed = true;
    }

    /** What a reader of verified tokens finds in this one. */
    static List<String> idsOf(BearerToken token) {
        return List.of("id-of-ada", "login-of-ada");
    }

    private Decision answer(boolean right) {
        return right && !closed
                ? new Authenticated(subject, validUntil)
                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }

    private boolean isValid(BearerToken token) {
        return token.token().matches(Secret.of(TOKEN))
                && idsOf(token).stream().noneMatch(revocations::isTokenRevoked)
                && !revocations.isSubjectRevoked(subject.id(), tokenIssuedAt);
    }
}
