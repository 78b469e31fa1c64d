package dev.latchkey.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/** A change of the password during an outage of the revocations. */
class AccountControllerTest {

    private static final Authentication ALICE =
            UsernamePasswordAuthenticationToken.authenticated("alice", null, List.of());
    private static final String NEW_PASSWORD = "long-enough-to-be-taken";

    private final EmbeddedDatabase database = new EmbeddedDatabaseBuilder()
            .setType(EmbeddedDatabaseType.H2)
            .generateUniqueName(true)
            .build();
    private final JdbcClient jdbc = JdbcClient.create(database);
    private final PasswordEncoder encoder = new BCryptPasswordEncoder(4);
    private final Accounts accounts = new Accounts();
    private final AccountController controller = new AccountController(jdbc, encoder, AuthChain.of(accounts));

    @Test
    void outage_changesNoPassword_soTheClientCanRepeatTheRequest() {
        jdbc.sql("create table users (username varchar(50), password varchar(100))")
                .update();
        jdbc.sql("insert into users values ('alice', ?)")
                .param(encoder.encode("old"))
                .update();
        AccountController.PasswordChange change =
                new AccountController.PasswordChange(Secret.of("old"), NEW_PASSWORD, Map.of());
        accounts.isDown = true;
        assertThatThrownBy(() -> controller.changePassword(ALICE, change)).isInstanceOf(AuthUnavailableException.class);
        accounts.isDown = false;
        controller.changePassword(ALICE, change);
        assertThat(encoder.matches(NEW_PASSWORD, accounts.stored())).isTrue();
        database.shutdown();
    }

    /** Compares with the stored password, and revokes nothing. */
    private final class Accounts implements LoginSource<PasswordCredentials>, CredentialsRevoker {

        private boolean isDown;

        private String stored() {
            return jdbc.sql("select password from users").query(String.class).single();
        }

        @Override
        public String name() {
            return "accounts";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials given, RequestContext context) {
            return given.password().withText(text -> encoder.matches(text, stored()))
                    ? Authenticated.as(Subject.of(given.username()))
                    : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }

        @Override
        public boolean revoke(Credentials credentials) {
            return false;
        }

        @Override
        public boolean revokeAll(String subjectId, Instant notBefore) {
            if (isDown) {
                throw AuthUnavailableException.outage("Simulated");
            }
            return false;
        }
    }
}
