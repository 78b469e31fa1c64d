package dev.latchkey.auth.guard.bucket;

/** Digests to 128 bits under a secret key. Digests of different kinds never collide. Safe for use by any number of threads. */
interface KeyDigest {

    /** The kind of a key's object. */
    enum Kind {
        SOURCE(1),
        WIDE_SOURCE(2),
        CLIENT(3),
        ACCOUNT(4),
        FOUND_ACCOUNT(5),
        PAIR(6),
        PRINCIPAL(7),
        EXACT_NAME(8);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        /** The kind's number in digests: equal on every node and in every version. */
        int code() {
            return code;
        }
    }

    BucketKey of(Kind kind, String text);

    BucketKey of(Kind kind, long... numbers);
}
