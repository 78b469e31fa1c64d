package dev.latchkey.auth.guard.bucket;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.guard.bucket.KeyDigest.Kind;
import dev.latchkey.auth.guard.source.ClientSource;
import org.jspecify.annotations.Nullable;

/** Keys of accounts, sources, places and principals. */
public final class LimitKeys {

    /**
     * Where a login comes from.
     *
     * @param source null where it is not known
     * @param wide the network around an IPv6 source, else null
     * @param place by which it is known where it has logged in; null where nothing tells it from others
     */
    public record Where(
            @Nullable BucketKey source,
            @Nullable BucketKey wide,
            @Nullable BucketKey place) {

        public boolean isKnown() {
            return source != null;
        }
    }

    /**
     * An account, by the name that was sent or as it was found; alone, and together with where the login comes from.
     *
     * @param account alone
     * @param atPlace the account at this place, which is the source where that is known; null where there is no place
     * @param atWideSource the account in this wide source; null where there is none
     */
    public record Who(
            BucketKey account,
            @Nullable BucketKey atPlace,
            @Nullable BucketKey atWideSource) {

        /** The account at this place, or the account alone where there is no place. */
        public BucketKey atPlaceOrAnywhere() {
            return atPlace == null ? account : atPlace;
        }
    }

    private final KeyDigest digest;

    private LimitKeys(KeyDigest digest) {
        this.digest = digest;
    }

    /** Under a random key that lives as long as the process. */
    public static LimitKeys random() {
        return new LimitKeys(new LocalDigest());
    }

    /**
     * Under a key that several nodes share, so that they mean the same bucket.
     *
     * @throws IllegalArgumentException if the key is shorter than 32 bytes
     */
    public static LimitKeys shared(Secret key) {
        return new LimitKeys(SharedDigest.under(key));
    }

    public BucketKey source(ClientSource source) {
        return digest.of(Kind.SOURCE, source.network());
    }

    public BucketKey principal(String principal) {
        return digest.of(Kind.PRINCIPAL, principal);
    }

    public Where where(ClientSource source) {
        if (source.isKnown()) {
            BucketKey key = source(source);
            String wide = source.wideNetwork();
            return new Where(key, wide == null ? null : digest.of(Kind.WIDE_SOURCE, wide), key);
        }
        boolean nowhere = source.place() == ClientSource.NOWHERE;
        return new Where(null, null, nowhere ? null : digest.of(Kind.PLACE, source.place()));
    }

    /** The account of the name that was sent, in whatever spelling. */
    public Who named(String account, Where where) {
        return who(digest.of(Kind.ACCOUNT, AccountName.folded(account)), where);
    }

    /** The account that was found. Its stored hash is its own, since it is salted, and stays when names change. */
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
