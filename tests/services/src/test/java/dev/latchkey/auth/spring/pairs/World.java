package dev.latchkey.auth.spring.pairs;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.spring.Unreliable;
import dev.latchkey.auth.store.InMemoryLoginStore;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.plugins.apikeys.store.ApiKeyStore;
import dev.latchkey.plugins.apikeys.store.JdbcApiKeyStore;
import dev.latchkey.plugins.codes.CodeStore;
import dev.latchkey.plugins.codes.JdbcCodeStore;
import dev.latchkey.plugins.passkeys.store.JdbcPasskeyStore;
import dev.latchkey.plugins.passkeys.store.PasskeyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/** The accounts of a service, by the source that has them, and what a test does to accounts, stores and time. */
final class World implements InstantSource {

    static final String USERS = "users";

    /** Cost 4, so that tests are quick. */
    static final PasswordEncoder ENCODER = new BCryptPasswordEncoder(4);

    /** @param created also tells two accounts of one name apart, of which the later replaced the earlier */
    record Row(String home, String secret, String hash, Instant created, boolean isEnabled, int steps) {

        static Row of(String home, String secret) {
            return new Row(home, secret, ENCODER.encode(secret), Instant.EPOCH, true, 0);
        }

        Row withSecret(String other) {
            return new Row(home, other, ENCODER.encode(other), created, isEnabled, steps);
        }

        Row disabled() {
            return new Row(home, secret, hash, created, false, steps);
        }

        Row wanting(int number) {
            return new Row(home, secret, hash, created, isEnabled, number);
        }

        Row recreated(String other, Instant at) {
            return new Row(home, other, ENCODER.encode(other), at, true, 0);
        }
    }

    final Map<String, Row> accounts = new ConcurrentHashMap<>();

    /** Access tokens of supporters, by the account that each cares for. */
    final Map<String, String> supporters = new ConcurrentHashMap<>();

    volatile boolean sourcesAreDown;
    volatile boolean storesAreDown;

    /** What a restarted service finds again. */
    final LoginStore logins =
            Unreliable.around(LoginStore.class, new InMemoryLoginStore(10_000, this), method -> storesAreDown);

    final RevocationStore revocations = Unreliable.around(
            RevocationStore.class, new InMemoryRevocationStore(Duration.ofHours(2), this), method -> storesAreDown);
    private final DataSource database = database();
    final CodeStore codes = new JdbcCodeStore(database);
    final ApiKeyStore keys = new JdbcApiKeyStore(database);
    final PasskeyStore passkeys = new JdbcPasskeyStore(database);
    final Partner partner = new Partner(this);

    private volatile Instant now = Instant.now();

    private static DataSource database() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        for (String plugin : List.of("codes", "apikeys", "passkeys")) {
            new ResourceDatabasePopulator(new ClassPathResource("dev/latchkey/plugins/" + plugin + "/schema-h2.sql"))
                    .execute(database);
        }
        return database;
    }

    @Override
    public Instant instant() {
        return now;
    }

    void move(Duration time) {
        now = now.plus(time);
    }

    Optional<Row> find(String home, String name) {
        if (sourcesAreDown) {
            throw AuthUnavailableException.outage(home + " does not answer");
        }
        return Optional.ofNullable(accounts.get(name)).filter(row -> row.home().equals(home));
    }

    Decision decide(String home, String name, String secret) {
        Optional<Row> row = find(home, name);
        if (row.isEmpty()) {
            return Decision.abstained();
        }
        return row.get().secret().equals(secret)
                ? stateOf(name, row.get())
                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }

    Optional<Verdict> account(String home, String name) {
        return find(home, name)
                .map(row -> row.isEnabled()
                        ? Authenticated.as(Subject.of(name))
                                .withStamp(stampOf(row))
                                .withCreated(row.created())
                        : Rejected.because(RejectionReason.ACCOUNT_DISABLED));
    }

    /** How many steps a login of this subject needs; the subjects of most sources begin with the name of the source. */
    int stepsOf(String subjectId) {
        Row row = accounts.get(nameIn(subjectId));
        return row == null ? 0 : row.steps();
    }

    static String nameIn(String subjectId) {
        return subjectId.substring(subjectId.lastIndexOf(':') + 1);
    }

    private static Verdict stateOf(String name, Row row) {
        return row.isEnabled()
                ? Authenticated.as(Subject.of(name)).withStamp(stampOf(row))
                : Rejected.because(RejectionReason.ACCOUNT_DISABLED);
    }

    private static Secret stampOf(Row row) {
        return Secret.of(row.secret() + " " + row.created());
    }
}
