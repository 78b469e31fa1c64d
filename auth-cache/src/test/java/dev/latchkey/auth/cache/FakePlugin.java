package dev.latchkey.auth.cache;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

/** A remote service with one account, {@code ada}; slow by the test's clock, and asked so often. */
final class FakePlugin implements LoginSource<PasswordCredentials> {

    static final String PASSWORD = "password-of-ada";

    final AtomicInteger asked = new AtomicInteger();
    final AtomicInteger unrecognized = new AtomicInteger();
    volatile Subject subject = Subject.of("subject-ada").withAuthorities("ROLE_USER");
    volatile Instant validUntil = Instant.MAX;
    volatile String password = PASSWORD;
    volatile Runnable beforeAnswer = () -> {};
    volatile RequestContext context = RequestContext.none();
    private final TestTime time;
    private volatile boolean closed;

    FakePlugin(TestTime time) {
        this.time = time;
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public Class<PasswordCredentials> kind() {
        return PasswordCredentials.class;
    }

    @Override
    public Decision authenticate(PasswordCredentials login, RequestContext context) {
        asked.incrementAndGet();
        this.context = context;
        beforeAnswer.run();
        time.pass(FakeEncoder.COST);
        boolean isRight = login.username().equals("ada") && login.password().matches(Secret.of(password));
        return isRight && !closed
                ? new Authenticated(subject, validUntil)
                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }

    @Override
    public void unrecognized(PasswordCredentials credentials) {
        unrecognized.incrementAndGet();
    }

    @Override
    public void close() {
        closed = true;
    }
}
