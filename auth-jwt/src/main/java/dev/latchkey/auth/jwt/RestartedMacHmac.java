package dev.latchkey.auth.jwt;

import java.lang.invoke.VarHandle;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * HMAC with a new {@code Mac} for each message, for providers whose digests cannot be cloned. Slower, but equally safe.
 */
final class RestartedMacHmac implements Hmac {

    private final String macName;
    private final byte[] key;
    private volatile boolean wiped;

    RestartedMacHmac(HmacAlgorithm algorithm, byte[] key) {
        this.macName = algorithm.macName();
        this.key = key.clone();
    }

    @Override
    public boolean compute(byte[] input, int from, int length, byte[] mac) {
        try {
            Mac fresh = Mac.getInstance(macName);
            fresh.init(new SecretKeySpec(key, macName));
            VarHandle.loadLoadFence();
            if (wiped) {
                return false;
            }
            fresh.update(input, from, length);
            fresh.doFinal(mac, 0);
            return true;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has " + macName, e);
        }
    }

    @Override
    public void wipe() {
        wiped = true;
        VarHandle.fullFence();
        Arrays.fill(key, (byte) 0);
    }
}
