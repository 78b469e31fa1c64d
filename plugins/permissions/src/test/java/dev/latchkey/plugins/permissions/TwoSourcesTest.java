package dev.latchkey.plugins.permissions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.permission.Permission;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two sources each have an account {@code ada}: the permissions of one are not the other's. */
class TwoSourcesTest {

    private final AuthChain chain = AuthChain.of(
            new Accounts("users", "ada"),
            new Accounts("directory", "ada@example.org"),
            PermissionsPlugin.of("permissions", new Roles(), Duration.ofSeconds(10), () -> 1));

    /** One account: the subject is {@code ada} for both login names. */
    private record Accounts(String name, String username) implements LoginSource<PasswordCredentials> {

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials given, RequestContext context) {
            return given.username().equals(username)
                    ? Authenticated.as(Subject.of("ada")).withStamp(Secret.of("stamp"))
                    : Decision.abstained();
        }
    }

    /** The local account reads, and the directory's writes. */
    private static final class Roles implements PolicyStore {

        @Override
        public Policy load() {
            return Policy.builder()
                    .grant("reader", "a:b", "r")
                    .grant("writer", "a:b", "w")
                    .build();
        }

        @Override
        public Set<String> rolesOf(String subjectId) {
            return Map.of("ada", Set.of("reader"), "directory:ada", Set.of("writer"))
                    .getOrDefault(subjectId, Set.of());
        }
    }

    private boolean may(AuthChain asked, String username, String action) {
        Authenticated login = (Authenticated) asked.authenticate(new PasswordCredentials(username, Secret.of("any")));
        return asked.authorize(login.subject(), new Permission("a:b", action));
    }

    @Test
    void subjectsOfOneId_haveTheRolesOfTheirSource() {
        assertThat(may(chain, "ada", "r")).isTrue();
        assertThat(may(chain, "ada", "w")).isFalse();
        assertThat(may(chain, "ada@example.org", "w")).isTrue();
        assertThat(may(chain, "ada@example.org", "r")).isFalse();
    }

    @Test
    void sourcesThatShareTheirSubjects_shareTheirRoles() {
        AuthChain shared = chain.withSharedSubjects(Set.of("users", "directory"));
        assertThat(may(shared, "ada@example.org", "r")).isTrue();
        assertThat(may(shared, "ada@example.org", "w")).isFalse();
    }
}
