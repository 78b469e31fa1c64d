package dev.latchkey.tests.contracts;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;

/** A plugin for passwords with the whole contract; a broken plugin overrides a method. */
class PasswordPlugin implements LoginSource<PasswordCredentials> {

    static final PasswordCredentials ADA = login("ada", "Correct-Horse-7");
    static final PasswordCredentials WRONG = login("ada", "Incorrect-Horse");
    static final PasswordCredentials GRACE = login("grace", "Battery-Staple-9");
    static final PasswordCredentials LINUS = login("linus", "0123456789".repeat(10));

    private static final Map<String, String> PASSWORDS =
            Map.of("ada", "Correct-Horse-7", "grace", "Battery-Staple-9", "linus", "0123456789".repeat(10));
    private static final int WORK = 4_000;

    private volatile boolean closed;

    static PasswordCredentials login(String name, String password) {
        return new PasswordCredentials(name, Secret.of(password));
    }

    @Override
    public String name() {
        return "passwords";
    }

    @Override
    public Class<PasswordCredentials> kind() {
        return PasswordCredentials.class;
    }

    @Override
    public Decision authenticate(PasswordCredentials login, RequestContext context) {
        String name = accountOf(login.username());
        String stored = PASSWORDS.get(name);
        if (stored == null) {
            unknown();
            return Rejected.because(RejectionReason.UNKNOWN_ACCOUNT);
        }
        return matches(stored, login.password().withText(CharSequence::toString)) && !closed
                ? right(subject(name))
                : wrong(subject(name));
    }

    String accountOf(String username) {
        return username;
    }

    Decision right(Subject subject) {
        return Authenticated.as(subject);
    }

    Decision wrong(Subject subject) {
        return Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }

    Subject subject(String name) {
        return Subject.of(name);
    }

    boolean matches(String stored, String given) {
        return MessageDigest.isEqual(hash(stored), hash(given));
    }

    void unknown() {
        matches("", "");
    }

    @Override
    public void close() {
        closed = true;
    }

    /** Slow enough to be measured. */
    private static byte[] hash(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] hash = text.getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < WORK; i++) {
                hash = digest.digest(hash);
            }
            return hash;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
