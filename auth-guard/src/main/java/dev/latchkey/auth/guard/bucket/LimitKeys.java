package dev.latchkey.auth.guard.bucket;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.guard.bucket.KeyDigest.Kind;
import dev.latchkey.auth.guard.source.ClientSource;
import org.jspecify.annotations.Nullable;

/** Makes the keys of accounts, sources, places and principals. Safe for use by any number of threads. */
public final class LimitKeys {

    /**
     * Where a login comes from.
     *
     * @param source null where it is not known
     * @param wide the network around an IPv6 source; null for others
     * @param place what tells this source from others where it has logged in before; null where nothing does
     */
    public record Where(
            @Nullable BucketKey source,
            @Nullable BucketKey wide,
            @Nullable BucketKey place) {

        /**
         * Whether there is a source to count by.
         *
         * @return false behind a proxy that is not configured
         */
        public boolean isKnown() {
            return source != null;
        }
    }

    /**
     * An account, by the name that was sent or as it was found: alone, and together with where the login comes from.
     *
     * @param account alone
     * @param atPlace the account at this place, which is the source where that is known; null where there is no place
     * @param atWideSource the account in this wide source; null where there is none
     */
    public record Who(
            BucketKey account,
            @Nullable BucketKey atPlace,
            @Nullable BucketKey atWideSource) {

        /**
         * The narrowest key of this account.
         *
         * @return the account at this place, or the account alone where there is no place
         */
        public BucketKey atPlaceOrAnywhere() {
            return atPlace == null ? account : atPlace;
        }
    }

    private final KeyDigest digest;

    private LimitKeys(KeyDigest digest) {
        this.digest = digest;
    }

    /**
     * Keys that mean nothing outside of this process.
     *
     * @return under a random key that lives as long as the process
     */
    public static LimitKeys random() {
        return new LimitKeys(new LocalDigest());
    }

    /**
     * Keys that mean the same bucket on all nodes that share this key.
     *
     * @param key of at least 32 bytes; copied
     * @return under that key
     * @throws IllegalArgumentException if the key is shorter than 32 bytes
     */
    public static LimitKeys shared(Secret key) {
        return new LimitKeys(SharedDigest.under(key));
    }

    /**
     * The key of a source.
     *
     * @param source known; all unknown ones would have the same key
     * @return by its {@linkplain ClientSource#network network}
     */
    public BucketKey source(ClientSource source) {
        return digest.of(Kind.SOURCE, source.network());
    }

    /**
     * The key of an authenticated caller.
     *
     * @param principal its name, taken as it is
     * @return differs from that of an account with the same name
     */
    public BucketKey principal(String principal) {
        return digest.of(Kind.PRINCIPAL, principal);
    }

    /**
     * The keys of where a login comes from.
     *
     * @param source known or not
     * @return for {@link #named} and {@link #found}
     */
    public Where where(ClientSource source) {
        if (source.isKnown()) {
            BucketKey key = source(source);
            String wide = source.wideNetwork();
            return new Where(key, wide == null ? null : digest.of(Kind.WIDE_SOURCE, wide), key);
        }
        boolean nowhere = source.place() == ClientSource.NOWHERE;
        return new Where(null, null, nowhere ? null : digest.of(Kind.PLACE, source.place()));
    }

    /**
     * The account by the name that was sent.
     *
     * @param account in whatever spelling: those that a store may take for one account have one key
     * @param where the login comes from
     * @return its keys
     */
    public Who named(String account, Where where) {
        return who(digest.of(Kind.ACCOUNT, AccountName.folded(account)), where);
    }

    /**
     * The account as it was found. Its stored hash identifies it: it is salted, so no other account has it, and it stays when the name changes.
     *
     * @param storedHash of the account
     * @param where the login comes from
     * @return its keys, which differ from those of its name
     */
    public Who found(String storedHash, Where where) {
        return who(digest.of(Kind.FOUND_ACCOUNT, storedHash), where);
    }

    private Who who(BucketKey account, Where where) {
        return new Who(account, pair(account, where.place()), pair(account, where.wide()));
    }

    private @Nullable BucketKey pair(BucketKey account, @Nullable BucketKey other) {
        return other == null ? null : digest.of(Kind.PAIR, account.high(), account.low(), other.high(), other.low());
    }
}
