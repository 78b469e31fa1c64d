package dev.latchkey.auth.guard.login;

/** Decides whether the stored text of an account's password identifies the account. Stateless. */
final class StoredHash {

    /** The length of the shortest salted hashes, in characters: 34 for {@code $1$} and {@code $P$}. */
    private static final int SALTED = 30;

    /** The fewest different characters of a salted hash. A digest in hexadecimal digits has about 14 of 16. */
    private static final int VARIED = 10;

    private StoredHash() {}

    /**
     * Whether the text can be the salted hash of one account.
     *
     * <p>Accounts without a password often share one short text. With a shared limit, a wrong password for one of these
     * accounts would be visible at the others, and reveal that the others exist. A long text of few different
     * characters, such as a row of dots, is no hash either.
     */
    static boolean isOfOneAccount(String storedHash) {
        if (storedHash.length() < SALTED) {
            return false;
        }
        // One bit for each character; two characters may share a bit.
        long seen = 0;
        for (int i = 0; i < storedHash.length(); i++) {
            seen |= 1L << storedHash.charAt(i);
        }
        return Long.bitCount(seen) >= VARIED;
    }
}
