package dev.latchkey.auth.guard.bucket;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.AccountName;
import dev.latchkey.auth.guard.bucket.KeyDigest.Kind;
import dev.latchkey.auth.guard.source.ClientSource;
import org.jspecify.annotations.Nullable;

/** Creates the keys of accounts, sources, clients and principals. Safe for use by any number of threads. */
public final class LimitKeys {

    /**
     * The origin of a login.
     *
     * @param source null if not known
     * @param wide the network around an IPv6 source; null for other sources
     * @param client identifies a client for the list of known clients; null if the client cannot be identified
     */
    public record ClientKeys(
            @Nullable BucketKey source,
            @Nullable BucketKey wide,
            @Nullable BucketKey client) {}

    /**
     * The keys of an account: alone, and together with the origin of the login. The presented name or the look-up
     * identifies the account.
     *
     * @param account the account alone
     * @param withClient the account with this client; null if the client cannot be identified. A known source is the
     *     client
     * @param withWideSource the account with this wide source; null if there is none
     * @param clientEntry the entry of this client among the account's known clients. The entry differs for each
     *     spelling of a presented name and each kind of credentials, because the accounts may differ. Null if the
     *     client cannot be identified
     */
    public record AccountKeys(
            BucketKey account,
            @Nullable BucketKey withClient,
            @Nullable BucketKey withWideSource,
            @Nullable BucketKey clientEntry) {

        /**
         * The narrowest key of this account.
         *
         * @return the account with this client, or the account alone if the client cannot be identified
         */
        public BucketKey narrowest() {
            return withClient == null ? account : withClient;
        }
    }

    private final KeyDigest digest;

    private LimitKeys(KeyDigest digest) {
        this.digest = digest;
    }

    /**
     * Keys for this process only.
     *
     * @return keys under a random secret, which is kept for the life of the process
     */
    public static LimitKeys random() {
        return new LimitKeys(new SipDigest());
    }

    /**
     * Keys that identify the same bucket on all nodes with this key.
     *
     * @param key of at least 32 bytes; copied
     * @return keys under this secret
     * @throws IllegalArgumentException if the key is shorter than 32 bytes
     */
    public static LimitKeys shared(Secret key) {
        return new LimitKeys(HmacDigest.under(key));
    }

    /**
     * The key of a source.
     *
     * @param source a known source, because all unknown sources would have the same key
     * @return the key of the source's {@linkplain ClientSource#network network}
     */
    public BucketKey source(ClientSource source) {
        return digest.of(Kind.SOURCE, source.network());
    }

    /**
     * The key of an authenticated caller.
     *
     * @param principal the name of the caller, used unchanged
     * @return a key that differs from the key of an account with the same name
     */
    public BucketKey principal(String principal) {
        return digest.of(Kind.PRINCIPAL, principal);
    }

    /**
     * The keys of a login's origin.
     *
     * @param source known or not
     * @return the keys to pass to {@link #named} and {@link #found}
     */
    public ClientKeys client(ClientSource source) {
        if (source.isKnown()) {
            BucketKey key = source(source);
            String wide = source.wideNetwork();
            return new ClientKeys(key, wide == null ? null : digest.of(Kind.WIDE_SOURCE, wide), key);
        }
        boolean hasNone = source.fingerprint() == ClientSource.NO_FINGERPRINT;
        return new ClientKeys(null, null, hasNone ? null : digest.of(Kind.CLIENT, source.fingerprint()));
    }

    /**
     * The keys of the account with the presented name.
     *
     * @param account the name in any spelling; all spellings that a store may accept for one account have the same key
     * @param exact the presented spelling; for credentials other than passwords, together with their kind
     * @param client the origin of the login
     * @return its keys
     */
    public AccountKeys named(String account, String exact, ClientKeys client) {
        String folded = AccountName.folded(account);
        AccountKeys keys = keys(digest.of(Kind.ACCOUNT, folded), client);
        return exact.equals(folded)
                ? keys
                : new AccountKeys(
                        keys.account(),
                        keys.withClient(),
                        keys.withWideSource(),
                        pair(digest.of(Kind.EXACT_NAME, exact), client.client()));
    }

    /**
     * The keys of the account after the look-up. The stored hash identifies the account. The hash is salted, so no
     * other account has the same hash, and a change of the name keeps the hash.
     *
     * @param storedHash of the account
     * @param client the origin of the login
     * @return the keys of the account, different from the keys of its name
     */
    public AccountKeys found(String storedHash, ClientKeys client) {
        return keys(foundAccount(storedHash), client);
    }

    /**
     * The key of the account alone after the look-up, as in {@link #found}.
     *
     * @param storedHash of the account
     * @return its key
     */
    public BucketKey foundAccount(String storedHash) {
        return digest.of(Kind.FOUND_ACCOUNT, storedHash);
    }

    private AccountKeys keys(BucketKey account, ClientKeys client) {
        return new AccountKeys(account, pair(account, client.client()), pair(account, client.wide()), client.client());
    }

    private @Nullable BucketKey pair(BucketKey account, @Nullable BucketKey other) {
        return other == null ? null : digest.of(Kind.PAIR, account.high(), account.low(), other.high(), other.low());
    }
}
