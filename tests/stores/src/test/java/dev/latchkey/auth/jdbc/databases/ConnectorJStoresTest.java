package dev.latchkey.auth.jdbc.databases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.plugins.apikeys.store.ApiKeyStore;
import dev.latchkey.plugins.apikeys.store.JdbcApiKeyStore;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import dev.latchkey.plugins.apikeys.store.StoredKey;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The stores on MariaDB by the driver of MySQL, Connector/J. */
@Tag("faults")
class ConnectorJStoresTest extends StoreContract {

    private static final Server SERVER = MariaDbStoresTest.server("mysql", MariaDbStoresTest.port(), "by_connector")
            .withTables();
    private static final Server ANOTHER = MariaDbStoresTest.server(
                    "mysql", MariaDbStoresTest.port(), "another_by_connector")
            .withTables();

    @Override
    Server server() {
        return SERVER;
    }

    @Override
    Server another() {
        return ANOTHER;
    }

    /** With this option, the driver does not count a row that has the new values already. */
    @Test
    void keyIsRenamedToItsPresentName_alsoIfTheDriverCountsChangedRowsAlone() {
        String url = SERVER.url() + (SERVER.url().contains("?") ? "&" : "?") + "useAffectedRows=true";
        ApiKeyStore keys = new JdbcApiKeyStore(new Server(url, SERVER.user(), SERVER.dialects()).plain());
        keys.insert(
                new StoredKey(
                        "renamed", KeyOwner.of("ada"), "ci", Set.of(), "k.d", null, null, Instant.EPOCH, null, null),
                5);
        assertThat(keys.rename("ada", "renamed", "ci")).isTrue();
        assertThat(keys.rename("ada", "renamed", "nightly")).isTrue();
        assertThat(keys.rename("bob", "renamed", "nightly")).isFalse();
        assertThat(keys.rename("ada", "unknown", "nightly")).isFalse();
    }
}
