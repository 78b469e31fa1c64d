package dev.latchkey.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;

/** A plugin for passwords that keeps the whole contract; what a broken one does otherwise, it overrides. */
class PasswordPlugin implements AuthPlugin {

    static final String NAME = "ada";
    static final String PASSWORD = "Correct-Horse-7";
    static final String OTHER_NAME = "grace";
    static final String OTHER_PASSWORD = "Battery-Staple-9";
    static final String LONG_NAME = "linus";
    static final String LONG_PASSWORD = "0123456789".repeat(10);

    private static final Map<String, String> PASSWORDS =
            Map.of(NAME, PASSWORD, OTHER_NAME, OTHER_PASSWORD, LONG_NAME, LONG_PASSWORD);
    private static final int WORK = 4_000;

    private volatile boolean closed;

    @Override
    public String name() {
        return "passwords";
    }

    @Override
    public Decision authenticate(Credentials credentials, RequestContext context) {
        if (!(credentials instanceof PasswordCredentials login)) {
            return Decision.abstained();
        }
        String stored = PASSWORDS.get(login.username());
        String given = login.password().withText(CharSequence::toString);
        if (stored == null) {
            unknown();
            return Rejected.because(RejectionReason.UNKNOWN_ACCOUNT);
        }
        return matches(stored, given) && !closed
                ? Authenticated.as(subject(login.username()))
                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
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

    /** As slow as makes it worth while to measure. */
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
