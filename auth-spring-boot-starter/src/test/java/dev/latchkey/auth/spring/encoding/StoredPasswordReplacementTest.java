package dev.latchkey.auth.spring.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;

class StoredPasswordReplacementTest {

    private final Map<String, String> hashes = new HashMap<>(Map.of("alice", "old"));
    private final StoredPasswordReplacement replacement = new StoredPasswordReplacement(hashes::replace);
    private final UserDetails alice =
            User.withUsername("alice").password("old").roles("ADMIN").build();

    /** Otherwise a controller with the service's own account class would fail at this login. */
    @Test
    void hash_isReplaced_andTheAccountStaysTheServicesOwn() {
        assertThat(replacement.updatePassword(alice, "new")).isSameAs(alice);
        assertThat(hashes).containsEntry("alice", "new");
    }

    @Test
    void passwordThatWasChangedMeanwhile_stays() {
        hashes.put("alice", "another");
        assertThat(replacement.updatePassword(alice, "new")).isSameAs(alice);
        assertThat(hashes).containsEntry("alice", "another");
    }

    @Test
    void storeThatFails_costsNobodyTheLogin() {
        StoredPasswordReplacement failing = new StoredPasswordReplacement((account, expected, hash) -> {
            throw AuthUnavailableException.outage("read-only replica");
        });
        assertThat(failing.updatePassword(alice, "new")).isSameAs(alice);
    }

    @Test
    void accountWithoutAHash_staysAsItIs() {
        UserDetails none = User.withUserDetails(alice).build();
        ((User) none).eraseCredentials();
        assertThat(replacement.updatePassword(none, "new")).isSameAs(none);
        assertThat(replacement.updatePassword(alice, null)).isSameAs(alice);
        assertThat(hashes).containsEntry("alice", "old");
    }
}
