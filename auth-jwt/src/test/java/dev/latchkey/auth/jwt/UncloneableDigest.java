package dev.latchkey.auth.jwt;

import java.security.MessageDigest;

/** A digest of a provider without copies of the state; computes nothing. */
class UncloneableDigest extends MessageDigest {

    UncloneableDigest() {
        super("SHA-256");
    }

    @Override
    protected void engineUpdate(byte input) {}

    @Override
    protected void engineUpdate(byte[] input, int offset, int length) {}

    @Override
    protected byte[] engineDigest() {
        return new byte[0];
    }

    @Override
    protected void engineReset() {}
}
