package dev.latchkey.auth.jwt;

/** The HMAC algorithms of RFC 7518 section 3.2. This library never supports {@code none}. */
public enum HmacAlgorithm {
    /** HMAC with SHA-256: keys of 32 bytes at least. */
    HS256("SHA-256", "HmacSHA256", 32, 64),
    /** HMAC with SHA-384: keys of 48 bytes at least. */
    HS384("SHA-384", "HmacSHA384", 48, 128),
    /** HMAC with SHA-512: keys of 64 bytes at least. */
    HS512("SHA-512", "HmacSHA512", 64, 128);

    private final String digestName;
    private final String macName;
    private final int macBytes;
    private final int blockBytes;

    HmacAlgorithm(String digestName, String macName, int macBytes, int blockBytes) {
        this.digestName = digestName;
        this.macName = macName;
        this.macBytes = macBytes;
        this.blockBytes = blockBytes;
    }

    /**
     * The shortest allowed key: as long as the hash's output (RFC 7518 section 3.2).
     *
     * @return a number of bytes
     */
    public int minKeyBytes() {
        return macBytes;
    }

    /** The algorithm with the longest MAC for a key of this length. */
    static HmacAlgorithm forKeyLength(int keyBytes) {
        if (keyBytes >= HS512.minKeyBytes()) {
            return HS512;
        }
        return keyBytes >= HS384.minKeyBytes() ? HS384 : HS256;
    }

    String digestName() {
        return digestName;
    }

    String macName() {
        return macName;
    }

    int macBytes() {
        return macBytes;
    }

    /** The block size B of RFC 2104 section 2. */
    int blockBytes() {
        return blockBytes;
    }

    int encodedMacLength() {
        return Base64Url.encodedLength(macBytes);
    }
}
