package dev.latchkey.auth.password.migration;

import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.modes.CTRModeCipher;
import org.bouncycastle.crypto.modes.SICBlockCipher;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;

/** AES in a separate class: Firebase's format also reads rows without Bouncy Castle on the class path. */
final class Aes {

    private static final int BLOCK_BYTES = 16;

    private Aes() {}

    /**
     * Encrypts by AES-256 with a counter that starts at zero (NIST SP 800-38A section 6.5), like Firebase with the
     * derived key.
     */
    static byte[] inCounterMode(byte[] key, byte[] text) {
        CTRModeCipher cipher = SICBlockCipher.newInstance(AESEngine.newInstance());
        cipher.init(true, new ParametersWithIV(new KeyParameter(key), new byte[BLOCK_BYTES]));
        byte[] encrypted = new byte[text.length];
        cipher.processBytes(text, 0, text.length, encrypted, 0);
        return encrypted;
    }
}
