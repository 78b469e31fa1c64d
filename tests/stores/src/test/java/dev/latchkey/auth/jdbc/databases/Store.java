package dev.latchkey.auth.jdbc.databases;

import dev.latchkey.auth.jdbc.JdbcLoginStore;
import dev.latchkey.auth.jdbc.JdbcRevocationStore;
import dev.latchkey.auth.store.Revocation;
import dev.latchkey.auth.store.ServiceName;
import dev.latchkey.auth.store.StoredLogin;
import dev.latchkey.plugins.apikeys.store.JdbcApiKeyStore;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import dev.latchkey.plugins.apikeys.store.StoredKey;
import dev.latchkey.plugins.codes.JdbcCodeStore;
import dev.latchkey.plugins.codes.StoredCodes;
import dev.latchkey.plugins.passkeys.store.JdbcPasskeyStore;
import dev.latchkey.plugins.passkeys.store.StoredPasskey;
import dev.latchkey.plugins.permissions.JdbcPolicyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/** The stores that the contract is for. */
enum Store {
    REVOCATIONS("dev/latchkey/auth/jdbc/%s/V1__latchkey.sql", "latchkey_revocation"),
    LOGINS("dev/latchkey/auth/jdbc/%s/V1__latchkey.sql", "latchkey_login"),
    CODES("dev/latchkey/plugins/codes/schema-%s.sql", "latchkey_one_time_codes"),
    API_KEYS("dev/latchkey/plugins/apikeys/schema-%s.sql", "latchkey_api_key"),
    PASSKEYS("dev/latchkey/plugins/passkeys/schema-%s.sql", "latchkey_passkey"),
    PERMISSIONS("dev/latchkey/plugins/permissions/schema-%s.sql", "latchkey_subject_role");

    private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

    private final String script;
    private final String table;

    Store(String script, String table) {
        this.script = script;
        this.table = table;
    }

    Rows in(DataSource database) {
        return switch (this) {
            case REVOCATIONS -> RevocationRows.in(database);
            case LOGINS -> LoginRows.in(database);
            case CODES -> CodeRows.in(database);
            case API_KEYS -> KeyRows.in(database);
            case PASSKEYS -> PasskeyRows.in(database);
            case PERMISSIONS -> RoleRows.in(database);
        };
    }

    String script(String dialect) {
        return script.formatted(dialect);
    }

    String table() {
        return table;
    }

    /** Revocations are added and never changed. */
    boolean replacesRows() {
        return this != REVOCATIONS;
    }

    private record RevocationRows(JdbcRevocationStore store) implements Rows {

        static Rows in(DataSource database) {
            return new RevocationRows(JdbcRevocationStore.in(database, new ServiceName("shop"), Duration.ofHours(1)));
        }

        @Override
        public void write(String id) {
            store.recordToken(id, LATER);
        }

        @Override
        public void writeAgain(String id) {
            store.restore(List.of(Revocation.ofToken(id, LATER)));
        }

        @Override
        public boolean has(String id) {
            return store.isTokenRevoked(id);
        }

        @Override
        public boolean replace(String id) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean remove(String id) {
            throw new UnsupportedOperationException();
        }
    }

    private record LoginRows(JdbcLoginStore store) implements Rows {

        static Rows in(DataSource database) {
            return new LoginRows(JdbcLoginStore.in(database, new ServiceName("shop")));
        }

        @Override
        public void write(String id) {
            store.start(login(id, "first"));
        }

        @Override
        public boolean has(String id) {
            return store.find(id).isPresent();
        }

        @Override
        public boolean replace(String id) {
            return store.replace("first", login(id, "second"));
        }

        @Override
        public boolean remove(String id) {
            return store.end(id);
        }

        private static StoredLogin login(String id, String hash) {
            return new StoredLogin(id, "users", "ada", hash, "", Set.of(), Instant.now(), LATER, LATER, null);
        }
    }

    private record CodeRows(JdbcCodeStore store) implements Rows {

        static Rows in(DataSource database) {
            return new CodeRows(new JdbcCodeStore(database));
        }

        @Override
        public void write(String id) {
            store.insert(id, codes("first"));
        }

        @Override
        public boolean has(String id) {
            return store.find(id).isPresent();
        }

        @Override
        public boolean replace(String id) {
            return store.update(id, "first", codes("second"));
        }

        @Override
        public boolean remove(String id) {
            return store.delete(id);
        }

        private static StoredCodes codes(String revision) {
            return new StoredCodes(revision, "secret", 1, List.of("a"), List.of(), null, 0, 0);
        }
    }

    private record KeyRows(JdbcApiKeyStore store) implements Rows {

        private static final String ACCOUNT = "ada";
        private static final int MOST = 10_000;

        static Rows in(DataSource database) {
            return new KeyRows(new JdbcApiKeyStore(database));
        }

        @Override
        public void write(String id) {
            store.insert(key(id), MOST);
        }

        private static StoredKey key(String id) {
            KeyOwner ada = KeyOwner.of(ACCOUNT);
            return new StoredKey(id, ada, "ci", Set.of(), "k.first", null, null, Instant.EPOCH, null, null);
        }

        @Override
        public void writeAgain(String id) {
            store.insert(key(id), 1);
        }

        @Override
        public boolean has(String id) {
            return store.find(id).isPresent();
        }

        @Override
        public boolean replace(String id) {
            return store.replaceSecrets(key(id), key(id).rotatedTo("k.second", LATER, null));
        }

        @Override
        public boolean remove(String id) {
            return store.delete(ACCOUNT, id);
        }
    }

    /** An account for each passkey, because an account has a few. */
    private record PasskeyRows(JdbcPasskeyStore store) implements Rows {

        static Rows in(DataSource database) {
            return new PasskeyRows(new JdbcPasskeyStore(database));
        }

        @Override
        public void write(String id) {
            store.insert(
                    new StoredPasskey(id, id, "users", "handle", "key", "a2V5", 1, true, false, Instant.EPOCH, null),
                    1);
        }

        @Override
        public boolean has(String id) {
            return store.find(id).isPresent();
        }

        @Override
        public boolean replace(String id) {
            return store.used(id, 1, 2, LATER);
        }

        @Override
        public boolean remove(String id) {
            return store.delete(id, id);
        }
    }

    private record RoleRows(JdbcPolicyStore store) implements Rows {

        private static final String ROLE = "reader";

        static Rows in(DataSource database) {
            return new RoleRows(JdbcPolicyStore.in(database));
        }

        @Override
        public void write(String id) {
            store.assign(id, ROLE);
        }

        @Override
        public boolean has(String id) {
            return store.rolesOf(id).contains(ROLE);
        }

        @Override
        public boolean replace(String id) {
            return store.unassign(id, ROLE);
        }

        @Override
        public boolean remove(String id) {
            return store.unassign(id, ROLE);
        }
    }
}
