package dev.latchkey.auth.password;

import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.generators.SCrypt;
import org.bouncycastle.crypto.modes.CTRModeCipher;
import org.bouncycastle.crypto.modes.SICBlockCipher;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;

/** scrypt (RFC 7914) by Bouncy Castle, which has no block pool for it: each hash allocates its memory anew. */
final class Scrypt {

    private Scrypt() {}

    /** 128 N r for the table (RFC 7914 section 5), and 128 r p for the blocks that are mixed. */
    static long memoryBytes(int n, int r, int p) {
        return 128L * n * r + 128L * r * p;
    }

    static byte[] hash(int n, int r, int p, byte[] password, byte[] salt, int length) {
        return SCrypt.generate(password, salt, n, r, p, length);
    }

    /** A class of its own, since the rest is asked about rows where Bouncy Castle is not there. */
    static final class Aes {

        private static final int BLOCK_BYTES = 16;

        private Aes() {}

        /** What Firebase does with the derived key: AES-256 from a counter of zero (NIST SP 800-38A section 6.5). */
        static byte[] inCounterMode(byte[] key, byte[] text) {
            CTRModeCipher cipher = SICBlockCipher.newInstance(AESEngine.newInstance());
            cipher.init(true, new ParametersWithIV(new KeyParameter(key), new byte[BLOCK_BYTES]));
            byte[] encrypted = new byte[text.length];
            cipher.processBytes(text, 0, text.length, encrypted, 0);
            return encrypted;
        }
    }
}
