package dev.latchkey.plugins.apikeys;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Secret;
import dev.latchkey.plugins.apikeys.store.JdbcApiKeyStore;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** The API keys of a service at one node with a clock of its own. */
public final class KeyNode implements AutoCloseable {

    /** The longest delay before a node sees a revocation of another node. */
    public static final Duration SEEN_WITHIN = Duration.ofMillis(500);

    private static final KeyDigests DIGESTS = KeyDigests.of(Secret.of(new byte[32]));

    private final ApiKeys keys;

    /** @param most keys of an account */
    public KeyNode(DataSource database, InstantSource clock, int most) {
        ApiKeySettings settings =
                ApiKeySettings.defaults().withMostPerAccount(most).withSeenWithin(SEEN_WITHIN);
        this.keys = new ApiKeys(
                new JdbcApiKeyStore(database),
                DIGESTS,
                settings,
                (plugin, account) -> Optional.empty(),
                clock,
                System::nanoTime);
    }

    /** Empty if the account has as many keys as it may have. */
    public Optional<IssuedKey> issue(String account) {
        return keys.issue(KeyOwner.of(account), KeyRequest.named("ci")) instanceof IssuedKey issued
                ? Optional.of(issued)
                : Optional.empty();
    }

    public boolean accepts(Secret text) {
        return keys.check(text) instanceof Authenticated;
    }

    public boolean revoke(String account, String id) {
        return keys.revoke(account, id);
    }

    public List<String> list(String account) {
        return keys.list(account).stream().map(ApiKey::id).toList();
    }

    @Override
    public void close() {
        keys.close();
    }
}
