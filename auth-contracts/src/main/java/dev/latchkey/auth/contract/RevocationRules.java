package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Credentials;
import org.junit.jupiter.api.Test;

/** What a logout takes away, and what it does not. */
interface RevocationRules extends Rules {

    @Test
    default void revoke_leavesAloneWhatProvesNobody() throws Exception {
        AuthPlugin plugin = trial().open();
        assertFalse(
                plugin.revoke(new KindRules.ForeignCredentials()),
                "claimed to revoke credentials of a kind nobody knows");
        assertFalse(
                plugin.revoke(trial().fixture().wrongCredentials()), "claimed to revoke credentials that prove nobody");
        trial().subjectOf(plugin);
    }

    @Test
    default void revokedCredentials_areNotAuthenticatedAnyMore() throws Exception {
        AuthPlugin plugin = trial().open();
        Credentials valid = trial().fixture().validCredentials();
        Trial.authenticated(plugin, Trial.VALID, valid);
        if (plugin.revoke(valid)) {
            Trial.assertNobody(plugin, "credentials that were revoked", valid);
        } else {
            Trial.authenticated(plugin, "valid credentials that it says were not revoked", valid);
        }
    }

    @Test
    default void revokedSubject_isNotAuthenticatedWithWhatWasIssuedBefore() throws Exception {
        AuthPlugin plugin = trial().open();
        Credentials valid = trial().fixture().validCredentials();
        String id = Trial.authenticated(plugin, Trial.VALID, valid).subject().id();
        plugin.revokeAll(Trial.NOBODY, trial().fixture().clock().instant());
        Trial.authenticated(plugin, "valid credentials after somebody else was revoked", valid);
        if (plugin.revokeAll(id, trial().fixture().clock().instant())) {
            Trial.assertNobody(plugin, "credentials of a subject that was revoked", valid);
        } else {
            Trial.authenticated(plugin, "valid credentials of a subject that it says was not revoked", valid);
        }
    }
}
