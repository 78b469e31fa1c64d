package dev.latchkey.auth.password.hash;

import org.bouncycastle.crypto.generators.SCrypt;

/**
 * scrypt (RFC 7914) by Bouncy Castle. Bouncy Castle has no block pool for scrypt, so each hash allocates its memory.
 */
final class Scrypt {

    private Scrypt() {}

    /** 128 N r for the table (RFC 7914 section 5), and 128 r p for the mixed blocks. */
    static long memoryBytes(int n, int r, int p) {
        return 128L * n * r + 128L * r * p;
    }

    static byte[] hash(int n, int r, int p, byte[] password, byte[] salt, int length) {
        return SCrypt.generate(password, salt, n, r, p, length);
    }
}
