package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.LoginSource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link CredentialsRevoker}, as tests: extend this class and supply a plugin, valid credentials and wrong
 * credentials.
 */
public abstract class CredentialsRevokerContract extends PluginContract<CredentialsRevoker> {

    private static final String VALID = "valid credentials";
    private static final String WRONG = "wrong credentials";

    /** A kind unknown to all plugins. */
    private record ForeignCredentials() implements Credentials {}

    /** For fixtures. */
    protected CredentialsRevokerContract() {}

    /**
     * Credentials that every new plugin accepts.
     *
     * @return the same or new credentials at each call
     * @throws Exception if the fixture fails
     */
    protected abstract Credentials validCredentials() throws Exception;

    /**
     * Well-formed but wrong credentials of the same kind.
     *
     * @return of the same kind as the valid credentials
     * @throws Exception if the fixture fails
     */
    protected abstract Credentials wrongCredentials() throws Exception;

    /**
     * Valid credentials of another account.
     *
     * @return empty unless overridden
     * @throws Exception if the fixture fails
     */
    protected Optional<Credentials> secondValidCredentials() throws Exception {
        return Optional.empty();
    }

    /**
     * The source that accepts these credentials before the revocation.
     *
     * @param plugin of {@link #newPlugin()}
     * @return the plugin itself unless overridden. Override this method if the revoker is no source
     * @throws Exception if the fixture fails
     */
    protected LoginSource<?> sourceFor(CredentialsRevoker plugin) throws Exception {
        return Accepted.sourceIn(plugin, "sourceFor(…)");
    }

    @Override
    final List<Probe<CredentialsRevoker>> probes() {
        Probe<CredentialsRevoker> wrong = new Probe<>(
                "revoke, with wrong credentials",
                plugin -> () -> plugin.revoke(seen(wrongCredentials())),
                Boolean.FALSE::equals,
                answer -> false,
                Probe.Use.OFTEN,
                Probe.Store.MAYBE);
        return List.of(wrong);
    }

    private boolean isAccepted(CredentialsRevoker plugin, String input, Credentials credentials) throws Exception {
        return Accepted.by(sourceFor(plugin), input, seen(credentials));
    }

    private static boolean revoked(CredentialsRevoker plugin, String input, Credentials credentials) throws Exception {
        return Calls.answer("revoke, with " + input, () -> plugin.revoke(credentials));
    }

    private String idOf(CredentialsRevoker plugin, Credentials credentials) throws Exception {
        LoginSource<?> source = sourceFor(plugin);
        return LoginSourceContract.login(
                        source, VALID, Calls.answer(VALID, () -> LoginSourceContract.decide(source, credentials)))
                .subject()
                .id();
    }

    /** Wrong credentials revoke nothing: otherwise a token with a wrong signature could log out any account. */
    @Test
    final void credentialsThatProveNobody_revokeNothing() throws Exception {
        CredentialsRevoker plugin = trial().open();
        assertFalse(
                revoked(plugin, "credentials of a foreign kind", new ForeignCredentials()),
                "claimed to revoke credentials of a kind that no plugin knows");
        assertFalse(revoked(plugin, WRONG, wrongCredentials()), "claimed to revoke wrong credentials");
        for (String text : Hostile.TEXTS) {
            Optional<Credentials> hostile = Hostile.unlessRefused(() -> Variants.withSecret(wrongCredentials(), text));
            if (hostile.isPresent()) {
                String input = "the secret " + Hostile.shown(text);
                assertFalse(revoked(plugin, input, hostile.get()), () -> "claimed to revoke credentials with " + input);
            }
        }
        assertTrue(isAccepted(plugin, VALID, validCredentials()), "refused valid credentials that nobody revoked");
    }

    /** Revoked credentials are rejected, and all other credentials are accepted. */
    @Test
    final void revokedCredentials_areRefused_andOthersAreNot() throws Exception {
        CredentialsRevoker plugin = trial().open();
        Credentials valid = validCredentials();
        Optional<Credentials> second = secondValidCredentials();
        assertTrue(isAccepted(plugin, VALID, valid), "refused valid credentials");
        boolean isRevoked = revoked(plugin, VALID, valid);
        boolean isStillAccepted = isAccepted(plugin, "valid credentials after revoke", valid);
        assertFalse(isRevoked && isStillAccepted, "accepted credentials that the plugin says are revoked");
        assertTrue(isRevoked || isStillAccepted, "refused credentials that the plugin says are not revoked");
        if (second.isPresent()) {
            assertTrue(
                    isAccepted(plugin, "the second valid credentials", second.get()),
                    "revoked the credentials of another account too");
        }
        assertFalse(
                isRevoked && revoked(plugin, "credentials that are revoked", valid) && isAccepted(plugin, VALID, valid),
                "revoking twice made the credentials valid again");
    }

    /** All credentials issued to the subject before the given time are rejected, and no other credentials. */
    @Test
    final void revokedSubject_losesWhatWasIssuedBefore_andNothingElse() throws Exception {
        CredentialsRevoker plugin = trial().open();
        Credentials valid = validCredentials();
        Optional<Credentials> second = secondValidCredentials();
        String id = idOf(plugin, valid);
        Instant now = clock().instant().plusSeconds(1);
        revokedAll(plugin, Trial.NOBODY, now);
        assertTrue(
                isAccepted(plugin, "valid credentials after another subject was revoked", valid),
                "revoked the credentials of another subject");
        assertFalse(isRevoked(plugin, id, now), "claimed a revocation that nobody made");
        revokedAll(plugin, id, Instant.EPOCH);
        assertFalse(isRevoked(plugin, id, now), "claimed a revocation of times after notBefore");
        assertTrue(
                isAccepted(plugin, "valid credentials, issued after notBefore", valid),
                "revoked credentials that were issued after notBefore");
        boolean isRevoked = revokedAll(plugin, id, now);
        boolean isStillAccepted = isAccepted(plugin, "valid credentials after revokeAll", valid);
        assertFalse(isRevoked && isStillAccepted, "accepted credentials of a subject that the plugin says is revoked");
        assertTrue(
                isRevoked || isStillAccepted, "refused credentials of a subject that the plugin says is not revoked");
        if (second.isPresent()) {
            assertTrue(
                    isAccepted(plugin, "the second valid credentials", second.get()),
                    "revoked the credentials of another subject too");
        }
        revokedAll(plugin, id, Instant.EPOCH);
        assertEquals(
                isStillAccepted,
                isAccepted(plugin, "valid credentials after revokeAll with an earlier notBefore", valid),
                "an earlier notBefore made revoked credentials valid again");
        if (isRevoked(plugin, id, Instant.EPOCH)) {
            Trial.close(plugin);
            Object closed = Calls.answerOrOutage("isRevoked, after close()", () -> plugin.isRevoked(id, Instant.EPOCH));
            assertNotEquals(false, closed, "denied a known revocation after close()");
        }
    }

    private static boolean revokedAll(CredentialsRevoker plugin, String id, Instant notBefore) throws Exception {
        return Calls.answer("revokeAll, of " + id + " before " + notBefore, () -> plugin.revokeAll(id, notBefore));
    }

    private static boolean isRevoked(CredentialsRevoker plugin, String id, Instant provedAt) throws Exception {
        return Calls.answer("isRevoked, of " + id + " at " + provedAt, () -> plugin.isRevoked(id, provedAt));
    }

    /** A revocation without the store is an outage. The answer {@code false} would say that there was nothing to revoke. */
    @Test
    final void revocationThatCannotBeRecorded_isAnOutage() throws Exception {
        Optional<? extends CredentialsRevoker> down = newPluginInOutage();
        if (down.isEmpty()) {
            return;
        }
        CredentialsRevoker plugin = trial().closingLater(down.get());
        Credentials valid = seen(validCredentials());
        assertOutage("revoke, with valid credentials", () -> plugin.revoke(valid));
        CredentialsRevoker working = trial().open();
        String id = idOf(working, validCredentials());
        Instant now = clock().instant();
        if (revokedAll(working, id, now)) {
            assertOutage("revokeAll", () -> plugin.revokeAll(id, now));
        }
        if (isRevoked(working, id, Instant.EPOCH)) {
            assertOutage("isRevoked", () -> plugin.isRevoked(id, Instant.EPOCH));
        }
    }

    private static void assertOutage(String call, Callable<Boolean> inOutage) throws Exception {
        String input = call + ", store down";
        assertInstanceOf(AuthUnavailableException.class, Calls.answerOrOutage(input, inOutage), input);
    }
}
